import { z } from 'zod';
import { commonTileSources, TileSource } from '../visualizations/map-tiles.ts';

/** Q9 and server-behaviour 6. */
export const dateFormats = ['DD/MM/YY', 'MM/DD/YY', 'YYYY-MM-DD'] as const;
export const timeFormats = ['HH:mm', 'HH:mm:ss', 'HH:mm:ss.SSS'] as const;
/** The days that a week begins with, by their number of dynamic dates (0 is Sunday). */
export const weekStartDays = { sunday: 0, monday: 1, saturday: 6 } as const;
const weekStarts = ['sunday', 'monday', 'saturday'] as const satisfies (keyof typeof weekStartDays)[];

export const pageSizes = [5, 10, 20, 50, 100] as const;
export const queryRefreshIntervals = [
  60, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 18000, 21600, 25200, 28800, 32400, 36000, 39600, 43200, 86400, 604800, 1209600,
  2592000,
] as const;
export const dashboardRefreshIntervals = [60, 300, 600, 1800, 3600, 43200, 86400] as const;

const text = z.string().max(4096);
const format = z.string().trim().min(1).max(40);
/** The outgoing guard parses the address again before any request. */
const webAddress = z
  .string()
  .trim()
  .max(4096)
  .regex(/^(?:https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?)?$/i, 'The address begins with https://.');
const domains = z.array(z.string().trim().toLowerCase().min(1).max(253)).max(1000);
const attribute = z
  .string()
  .trim()
  .regex(/^[A-Za-z][\w.;-]{0,99}$/, 'This is not the name of an LDAP attribute.');
/** RFC 9110: names of headers and cookies. */
const token = z
  .string()
  .trim()
  .regex(/^[\w!#$%&'*+.^`|~-]{0,200}$/, 'This is not the name of a header or cookie.');
const ownCookies = ['session', 'csrf_token', 'sign_in'];
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
  auth_google_enabled: z.boolean().default(false),
  auth_google_client_id: text.default(''),
  auth_google_client_secret: text.default(''),
  auth_google_apps_domains: domains.default([]),
  auth_oidc_enabled: z.boolean().default(false),
  auth_oidc_name: z.string().trim().max(60).default(''),
  auth_oidc_issuer: webAddress.default(''),
  auth_oidc_client_id: text.default(''),
  auth_oidc_client_secret: text.default(''),
  auth_oidc_domains: domains.default([]),
  auth_oidc_groups_claim: text.default(''),
  /** Whether signing out here signs out at the provider, too. */
  auth_oidc_logout: z.boolean().default(true),
  auth_ldap_enabled: z.boolean().default(false),
  auth_ldap_url: z
    .string()
    .trim()
    .max(4096)
    .regex(/^(?:ldaps?:\/\/[^\s/]+\/?)?$/, 'The LDAP address begins with ldap:// or ldaps://.')
    .default(''),
  auth_ldap_starttls: z.boolean().default(false),
  /** PEM certificates of the authorities that sign the directory's certificate, where the system does not know them. */
  auth_ldap_ca_cert: z
    .string()
    .trim()
    .max(65536)
    .regex(/^(?:(?:-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----\s*)+)?$/, 'The certificate must be in PEM form.')
    .default(''),
  auth_ldap_bind_dn: text.default(''),
  auth_ldap_bind_password: text.default(''),
  auth_ldap_search_dn: text.default(''),
  auth_ldap_filter: text
    .refine((filter) => filter.includes('{username}'), 'The LDAP filter must contain {username}.')
    .default('(mail={username})'),
  auth_ldap_email_attribute: attribute.default('mail'),
  auth_ldap_name_attribute: attribute.default('displayName'),
  auth_saml_enabled: z.boolean().default(false),
  auth_saml_type: z.enum(['', 'static', 'dynamic']).default(''),
  auth_saml_metadata_url: webAddress.default(''),
  auth_saml_groups_attribute: text.default('RedashGroups'),
  auth_saml_entity_id: text.default(''),
  auth_saml_nameid_format: text.default(''),
  auth_saml_sso_url: text.default(''),
  auth_saml_x509_cert: z.string().max(65536).default(''),
  auth_saml_sp_settings: z.string().max(65536).default(''),
  auth_jwt_login_enabled: z.boolean().default(false),
  auth_jwt_auth_issuer: text.default(''),
  auth_jwt_auth_public_certs_url: webAddress.default(''),
  auth_jwt_auth_audience: text.default(''),
  auth_jwt_auth_algorithms: z.array(z.enum(['HS256', 'RS256', 'ES256'])).default(['HS256', 'RS256', 'ES256']),
  auth_jwt_auth_cookie_name: token.refine((name) => !ownCookies.includes(name), 'This is the name of a cookie of ours.').default(''),
  auth_jwt_auth_header_name: token
    .refine((name) => name.toLowerCase() !== 'authorization', 'The Authorization header holds keys; the proxy needs one of its own.')
    .default(''),
  time_zone: z.string().max(64).refine(isTimeZone, 'This is not a time zone.').default('UTC'),
  /** Complaint 62: "This week" of dynamic dates and the calendars of date fields begin with this day. */
  week_start: z.enum(weekStarts).default('sunday'),
  query_refresh_intervals: z
    .array(interval)
    .max(100)
    .default([...queryRefreshIntervals]),
  dashboard_refresh_intervals: z
    .array(interval.min(30, 'Dashboards refresh every 30 seconds at most.'))
    .max(100)
    .default([...dashboardRefreshIntervals]),
  /** How many days the audit log is kept. */
  audit_days: z.int().min(1, 'The audit log is kept for at least one day.').max(36_500).default(730),
  /** design 8.1: titles of widgets are cut at so many characters; 0 shows as much as fits. */
  widget_title_length: z.int().min(0).max(300).default(20),
  disable_public_urls: z.boolean().default(false),
  disable_fullscreen: z.boolean().default(false),
  /** Pictures under maps; the first source is drawn unless a map says otherwise, and an empty list means no requests to anybody. */
  map_tiles: z
    .array(TileSource)
    .max(20)
    .default([...commonTileSources]),
});
export type OrganizationSettings = z.output<typeof OrganizationSettings>;
export type SettingName = keyof OrganizationSettings;

export const settingNames = Object.keys(OrganizationSettings.shape) as SettingName[];
export const defaultSettings: OrganizationSettings = OrganizationSettings.parse({});

/** Stored values win, but a stored null or a value that no longer fits means the default. */
export function settingsFrom(stored: Record<string, unknown>): OrganizationSettings {
  const known = settingNames.filter((name) => {
    const value = stored[name];
    return value !== undefined && value !== null && OrganizationSettings.shape[name].safeParse(value).success;
  });
  return { ...defaultSettings, ...Object.fromEntries(known.map((name) => [name, stored[name]])) };
}

/** The environment variable that sets a setting and locks it in the page. */
export const variableOf = (name: string): string => (name === 'audit_days' ? 'TELLTALE_AUDIT_DAYS' : name.toUpperCase());

/** What is stored sealed and answered as dashes, and the setting that says where it is sent. */
export const secretSettings: Partial<Record<SettingName, SettingName | null>> = {
  auth_google_client_secret: null,
  auth_oidc_client_secret: 'auth_oidc_issuer',
  auth_ldap_bind_password: 'auth_ldap_url',
};
