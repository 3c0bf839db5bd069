import { z } from 'zod';
import { commonTileSources, TileSource } from '../visualizations/map-tiles.ts';

/** Q9 and server-behaviour 6. */
export const dateFormats = ['DD/MM/YY', 'MM/DD/YY', 'YYYY-MM-DD'] as const;
export const timeFormats = ['HH:mm', 'HH:mm:ss', 'HH:mm:ss.SSS'] as const;
export const pageSizes = [5, 10, 20, 50, 100] as const;
export const queryRefreshIntervals = [
  60, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 18000, 21600, 25200, 28800, 32400, 36000, 39600, 43200, 86400, 604800, 1209600,
  2592000,
] as const;
export const dashboardRefreshIntervals = [60, 300, 600, 1800, 3600, 43200, 86400] as const;

const text = z.string().max(4096);
const format = z.string().trim().min(1).max(40);
const oneCharacter = z.string().max(1);
const interval = z
  .int()
  .min(1)
  .max(366 * 86400);
export const isTimeZone = (zone: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

/** A3 and server-behaviour 22, then ours. A stored null means the default. */
export const OrganizationSettings = z.object({
  beacon_consent: z.boolean().nullable().default(null),
  date_format: format.default('DD/MM/YY'),
  time_format: format.default('HH:mm'),
  integer_format: format.default('0,0'),
  float_format: format.default('0,0.00'),
  thousands_separator: oneCharacter.default(','),
  decimal_separator: oneCharacter.default('.'),
  null_value: text.default('null'),
  hide_plotly_mode_bar: z.boolean().default(false),
  feature_show_permissions_control: z.boolean().default(false),
  send_email_on_failed_scheduled_queries: z.boolean().default(false),
  multi_byte_search_enabled: z.boolean().default(false),
  auth_password_login_enabled: z.boolean().default(true),
  auth_google_apps_domains: z.array(z.string().trim().min(1).max(253)).max(1000).default([]),
  auth_saml_enabled: z.boolean().default(false),
  auth_saml_type: text.default(''),
  auth_saml_metadata_url: text.default(''),
  auth_saml_entity_id: text.default(''),
  auth_saml_nameid_format: text.default(''),
  auth_saml_sso_url: text.default(''),
  auth_saml_x509_cert: z.string().max(65536).default(''),
  auth_saml_sp_settings: z.string().max(65536).default(''),
  auth_jwt_login_enabled: z.boolean().default(false),
  auth_jwt_auth_issuer: text.default(''),
  auth_jwt_auth_public_certs_url: text.default(''),
  auth_jwt_auth_audience: text.default(''),
  auth_jwt_auth_algorithms: z.array(z.enum(['HS256', 'RS256', 'ES256'])).default(['HS256', 'RS256', 'ES256']),
  auth_jwt_auth_cookie_name: text.default(''),
  auth_jwt_auth_header_name: text.default(''),
  time_zone: z.string().max(64).refine(isTimeZone, 'This is not a time zone.').default('UTC'),
  query_refresh_intervals: z
    .array(interval)
    .max(100)
    .default([...queryRefreshIntervals]),
  dashboard_refresh_intervals: z
    .array(interval.min(30, 'Dashboards refresh every 30 seconds at most.'))
    .max(100)
    .default([...dashboardRefreshIntervals]),
  disable_public_urls: z.boolean().default(false),
  disable_fullscreen: z.boolean().default(false),
  /** Under maps; the first one is drawn unless a map says otherwise, none asks nobody. */
  map_tiles: z
    .array(TileSource)
    .max(20)
    .default([...commonTileSources]),
});
export type OrganizationSettings = z.output<typeof OrganizationSettings>;
export type SettingName = keyof OrganizationSettings;

export const settingNames = Object.keys(OrganizationSettings.shape) as SettingName[];
export const defaultSettings: OrganizationSettings = OrganizationSettings.parse({});

/** What is stored wins, but a stored null or a value that no longer fits means the default. */
export function settingsFrom(stored: Record<string, unknown>): OrganizationSettings {
  const known = settingNames.filter((name) => {
    const value = stored[name];
    return value !== undefined && value !== null && OrganizationSettings.shape[name].safeParse(value).success;
  });
  return { ...defaultSettings, ...Object.fromEntries(known.map((name) => [name, stored[name]])) };
}

/** A4: password login may be off only while somebody can still come in another way. */
export function isAnyLoginLeft(settings: OrganizationSettings, available: { google: boolean; ldap: boolean; saml: boolean }): boolean {
  return settings.auth_password_login_enabled || available.google || available.ldap || (available.saml && settings.auth_saml_enabled);
}
