import type { AttributeDisplay } from '@telltale/domain/channels/attribute-display.ts';
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

/** visualizations 2.10: the organisation's settings that affect pictures. A `client_config` fits. */
export interface DisplaySettings extends Pick<ClientConfig, Used> {
  /** Hides the charts' own tools (visualizations 5.15). */
  hidePlotlyModeBar?: boolean;
  /** The tile sources of maps; without them no tiles are requested. */
  mapTiles?: readonly TileSource[];
  /** Units, decimals and thresholds of columns that are attributes of a channel. */
  columnDisplay?: Readonly<Record<string, AttributeDisplay>>;
  /** Texts of false and true. */
  booleanValues?: readonly [string, string];
}

/** The settings for readers whose configuration is unknown. */
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

/** What is known of a column that is an attribute of a channel. */
export const displayReader =
  ({ columnDisplay = {} }: DisplaySettings) =>
  (column: string): AttributeDisplay | undefined =>
    Object.hasOwn(columnDisplay, column) ? columnDisplay[column] : undefined;
