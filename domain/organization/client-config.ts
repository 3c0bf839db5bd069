import { z } from 'zod';
import { TileSource } from '../visualizations/map-tiles.ts';

/** Q3 and server-behaviour 6: the configuration for the browser, in the upstream's own key names. */
export const ClientConfig = z.object({
  version: z.string().optional(),
  newVersionAvailable: z.boolean().optional(),
  showBeaconConsentMessage: z.boolean().optional(),
  allowScriptsInUserInput: z.boolean(),
  showPermissionsControl: z.boolean(),
  hidePlotlyModeBar: z.boolean(),
  disablePublicUrls: z.boolean(),
  disableFullscreen: z.boolean(),
  multiByteSearchEnabled: z.boolean(),
  allowCustomJSVisualizations: z.boolean(),
  autoPublishNamedQueries: z.boolean(),
  extendedAlertOptions: z.boolean(),
  mailSettingsMissing: z.boolean(),
  googleLoginEnabled: z.boolean(),
  ldapLoginEnabled: z.boolean(),
  oidcLoginEnabled: z.boolean(),
  samlLoginEnabled: z.boolean(),
  passwordLoginEnabled: z.boolean(),
  dashboardRefreshIntervals: z.array(z.int()),
  queryRefreshIntervals: z.array(z.int()),
  pageSize: z.int(),
  pageSizeOptions: z.array(z.int()),
  tableCellMaxJSONSize: z.int(),
  basePath: z.string(),
  helpUrl: z.string(),
  timeZone: z.string(),
  /** Ours: the first day of a week, 0 = Sunday. */
  weekStart: z.int(),
  dateFormat: z.string(),
  dateTimeFormat: z.string(),
  dateFormatList: z.array(z.string()),
  timeFormatList: z.array(z.string()),
  integerFormat: z.string(),
  floatFormat: z.string(),
  thousandsSeparator: z.string(),
  decimalSeparator: z.string(),
  nullValue: z.string(),
  /** Ours: titles of widgets are cut at so many characters; 0 shows as much as fits. */
  widgetTitleLength: z.int(),
  mapTiles: z.array(TileSource),
});
export type ClientConfig = z.infer<typeof ClientConfig>;
