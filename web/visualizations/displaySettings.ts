import type { ClientConfig } from '@telltale/domain/organization/client-config.ts';
import type { TileSource } from '@telltale/domain/visualizations/map-tiles.ts';
import type { Separators } from '@telltale/domain/visualizations/number-format.ts';

type Used =
  | 'dateFormat'
  | 'dateTimeFormat'
  | 'integerFormat'
  | 'floatFormat'
  | 'thousandsSeparator'
  | 'decimalSeparator'
  | 'nullValue'
  | 'tableCellMaxJSONSize';

/** visualizations 2.10: what of the organisation's settings changes a picture. A `client_config` is one of these. */
export interface DisplaySettings extends Pick<ClientConfig, Used> {
  /** Charts have no tools of their own (visualizations 5.15). */
  hidePlotlyModeBar?: boolean;
  /** What may lie under a map; without them nobody is asked for pictures. */
  mapTiles?: readonly TileSource[];
  /** Texts of false and true. */
  booleanValues?: readonly [string, string];
}

/** For readers whose configuration is not known. */
export const commonSettings: DisplaySettings = {
  dateFormat: 'DD/MM/YYYY',
  dateTimeFormat: 'DD/MM/YYYY HH:mm',
  integerFormat: '0,0',
  floatFormat: '0,0.00',
  thousandsSeparator: ',',
  decimalSeparator: '.',
  nullValue: 'null',
  tableCellMaxJSONSize: 50_000,
};

export const separatorsOf = ({ thousandsSeparator, decimalSeparator }: DisplaySettings): Separators => ({
  thousands: thousandsSeparator,
  decimal: decimalSeparator,
});
