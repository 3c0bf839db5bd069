import type { SettingsReply } from '@telltale/domain/organization/contract.ts';
import { type SettingName, variableOf } from '@telltale/domain/organization/settings.ts';
import type { Field, FormValues } from '../ui/form/field.ts';
import { intervalSeconds, intervalText, tilesFrom, tilesText } from './settingTexts.ts';

type Settings = SettingsReply['settings'];
type Row = Omit<Field, 'name' | 'initialValue'> & { name: SettingName };

export interface SettingsPart {
  title: string;
  fields: readonly Field[];
  /** The switch that shows the fields after it. */
  switchedBy?: SettingName;
}

const isInterval: Field['fault'] = (value) =>
  Array.isArray(value) && value.every((item) => intervalSeconds(String(item)) !== undefined)
    ? null
    : 'Write intervals such as 30s, 5m, 12h or 1d.';

const choices = (values: readonly string[]) => values.map((value) => ({ value, name: value }));
const domainsInfo =
  'Any user registered with an account in one of these domains will be able to login. If they don’t have an existing user, a new user will be created and join the Default group.';

/** A2, A3: every setting, part by part. Settings of the environment are shown and cannot be changed. */
export function settingsParts(
  { settings, locked }: SettingsReply,
  formats: { date: readonly string[]; time: readonly string[] },
): SettingsPart[] {
  const field = (row: Row): Field => ({
    ...row,
    initialValue: shownValue(settings, row.name),
    ...(locked.includes(row.name) && { readOnly: true, info: `Set by the environment variable ${variableOf(row.name)}.` }),
  });
  const flag = (name: SettingName, title: string, info?: string) => field({ name, title, type: 'checkbox', ...(info && { info }) });
  const text = (name: SettingName, title: string, more: Partial<Row> = {}) => field({ name, title, type: 'text', ...more });

  return [
    {
      title: 'General',
      fields: [
        field({ name: 'date_format', title: 'Date Format', type: 'select', required: true, options: choices(formats.date) }),
        field({ name: 'time_format', title: 'Time Format', type: 'select', required: true, options: choices(formats.time) }),
        field({
          name: 'time_zone',
          title: 'Time Zone',
          type: 'select',
          required: true,
          options: choices(['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]),
          info: 'Schedules and alerts use it; people see times in the zone of their browser.',
        }),
        field({
          name: 'week_start',
          title: 'First Day of the Week',
          type: 'select',
          required: true,
          options: [
            { value: 'sunday', name: 'Sunday' },
            { value: 'monday', name: 'Monday' },
            { value: 'saturday', name: 'Saturday' },
          ],
          info: 'For “This week” and “Last week” in parameters, and for the calendars of date fields.',
        }),
        text('integer_format', 'Integer Format', { required: true }),
        text('float_format', 'Float Format', { required: true }),
        text('thousands_separator', 'Thousands Separator'),
        text('decimal_separator', 'Decimal Separator'),
        text('null_value', 'Text for Empty Values'),
        field({ name: 'query_refresh_intervals', title: 'Query Refresh Intervals', type: 'tags', fault: isInterval }),
        field({ name: 'dashboard_refresh_intervals', title: 'Dashboard Refresh Intervals', type: 'tags', fault: isInterval }),
        field({
          name: 'widget_title_length',
          title: 'Widget Title Length',
          type: 'number',
          required: true,
          isWhole: true,
          range: { min: 0, max: 300 },
          info: 'Titles on dashboards are cut at so many characters; 0 shows as much as fits.',
        }),
        field({
          name: 'map_tiles',
          title: 'Map Tiles',
          type: 'textarea',
          info: 'One source in a line: name | address with {z}, {x} and {y} | attribution. Maps start with the first one.',
          fault: (value) => {
            const read = tilesFrom(typeof value === 'string' ? value : '');
            return 'fault' in read ? read.fault : null;
          },
        }),
        field({
          name: 'audit_days',
          title: 'Days to Keep the Audit Log',
          type: 'number',
          required: true,
          range: { min: 1, max: 36_500 },
          isWhole: true,
        }),
        flag('hide_plotly_mode_bar', 'Hide the mode bar of charts'),
      ],
    },
    {
      title: 'Feature Flags',
      fields: [
        flag('feature_show_permissions_control', 'Enable experimental multiple owners support'),
        flag('send_email_on_failed_scheduled_queries', 'Email query owners when scheduled queries fail'),
        flag(
          'multi_byte_search_enabled',
          'Enable multi-byte (Chinese, Japanese, and Korean) search for query names and descriptions (slower)',
        ),
        flag('disable_public_urls', 'Disable public links and embedding'),
        flag('disable_fullscreen', 'Disable fullscreen mode'),
      ],
    },
    {
      title: 'Anonymous Usage Data Sharing',
      fields: [flag('beacon_consent', 'Share anonymous usage data', 'Nothing is sent by this version; the answer is kept for later ones.')],
    },
    {
      title: 'Google Login',
      switchedBy: 'auth_google_enabled',
      fields: [
        flag('auth_google_enabled', 'Google Login Enabled'),
        text('auth_google_client_id', 'Google Client ID'),
        field({ name: 'auth_google_client_secret', title: 'Google Client Secret', type: 'password', autoComplete: 'new-password' }),
        field({ name: 'auth_google_apps_domains', title: 'Allowed Google Apps Domains', type: 'tags', info: domainsInfo }),
      ],
    },
    {
      title: 'OpenID Connect',
      switchedBy: 'auth_oidc_enabled',
      fields: [
        flag('auth_oidc_enabled', 'OpenID Connect Enabled'),
        text('auth_oidc_name', 'Button Text', { placeholder: 'Login with OpenID Connect' }),
        text('auth_oidc_issuer', 'Issuer', { placeholder: 'https://login.example.com/realms/main' }),
        text('auth_oidc_client_id', 'Client ID'),
        field({ name: 'auth_oidc_client_secret', title: 'Client Secret', type: 'password', autoComplete: 'new-password' }),
        field({
          name: 'auth_oidc_domains',
          title: 'Allowed Domains',
          type: 'tags',
          info: 'Without any, every verified address may log in.',
        }),
        text('auth_oidc_groups_claim', 'Groups Claim', {
          info: 'Its names replace the groups of a person at each login, with the Default group.',
        }),
        flag(
          'auth_oidc_logout',
          'Sign out at the provider, too',
          'The provider must allow the address of the login page (/login) as a post-logout address.',
        ),
      ],
    },
    {
      title: 'SAML',
      switchedBy: 'auth_saml_enabled',
      fields: [
        flag('auth_saml_enabled', 'SAML Enabled'),
        field({
          name: 'auth_saml_type',
          title: 'SAML Configuration',
          type: 'select',
          required: true,
          options: [
            { value: 'dynamic', name: 'By metadata address' },
            { value: 'static', name: 'By login address and certificate' },
          ],
        }),
        text('auth_saml_metadata_url', 'SAML Metadata URL'),
        text('auth_saml_sso_url', 'SAML Single Sign-on URL'),
        field({ name: 'auth_saml_x509_cert', title: 'SAML X.509 Certificate', type: 'textarea' }),
        text('auth_saml_entity_id', 'SAML Entity ID', { info: 'Ours; the address of our metadata (/saml/metadata) unless stated.' }),
        text('auth_saml_nameid_format', 'SAML NameID Format'),
        text('auth_saml_groups_attribute', 'SAML Groups Attribute'),
      ],
    },
    {
      title: 'LDAP',
      switchedBy: 'auth_ldap_enabled',
      fields: [
        flag('auth_ldap_enabled', 'LDAP Login Enabled'),
        text('auth_ldap_url', 'LDAP Address', { placeholder: 'ldaps://ldap.example.com' }),
        flag('auth_ldap_starttls', 'Use STARTTLS', 'For ldap:// addresses; ldaps:// is encrypted from the start.'),
        field({
          name: 'auth_ldap_ca_cert',
          title: 'CA Certificate',
          type: 'textarea',
          info: 'PEM, for a directory whose certificate is signed by an authority of your own.',
        }),
        text('auth_ldap_bind_dn', 'Bind DN'),
        field({ name: 'auth_ldap_bind_password', title: 'Bind Password', type: 'password', autoComplete: 'new-password' }),
        text('auth_ldap_search_dn', 'Search DN', { placeholder: 'ou=people,dc=example,dc=com' }),
        text('auth_ldap_filter', 'Filter', { required: true, info: '{username} stands for what is typed at the login.' }),
        text('auth_ldap_email_attribute', 'Email Attribute', { required: true }),
        text('auth_ldap_name_attribute', 'Name Attribute', { required: true }),
      ],
    },
    {
      title: 'JSON Web Tokens',
      switchedBy: 'auth_jwt_login_enabled',
      fields: [
        flag(
          'auth_jwt_login_enabled',
          'JWT Login Enabled',
          'A proxy in front signs people in and names them in a signed token with each request.',
        ),
        text('auth_jwt_auth_issuer', 'Issuer', { placeholder: 'https://team.example.com' }),
        text('auth_jwt_auth_audience', 'Audience', { info: 'The name of this console at the proxy. Tokens for others are refused.' }),
        text('auth_jwt_auth_public_certs_url', 'Public Keys Address', { placeholder: 'https://team.example.com/certs' }),
        field({
          name: 'auth_jwt_auth_algorithms',
          title: 'Algorithms',
          type: 'tags',
          info: 'RS256 and ES256. HS256 has no effect: its key could not be public.',
          fault: (value) =>
            Array.isArray(value) && value.every((item) => ['RS256', 'ES256', 'HS256'].includes(String(item)))
              ? null
              : 'Choose RS256 or ES256.',
        }),
        text('auth_jwt_auth_header_name', 'Header Name', { placeholder: 'X-Access-Token' }),
        text('auth_jwt_auth_cookie_name', 'Cookie Name', { info: 'The header is read first; one of the two is needed.' }),
      ],
    },
  ];
}

function shownValue(settings: Settings, name: SettingName): Field['initialValue'] {
  if (name === 'query_refresh_intervals' || name === 'dashboard_refresh_intervals') return settings[name].map(intervalText);
  if (name === 'map_tiles') return tilesText(settings.map_tiles);
  if (name === 'auth_saml_type') return settings.auth_saml_type || 'dynamic';
  return settings[name] as Field['initialValue'];
}

/** The values of the form as the server expects them. */
export function settingsFromForm(payload: FormValues): Record<string, unknown> {
  const seconds = (value: FormValues[string]) => (Array.isArray(value) ? value.map((item) => intervalSeconds(String(item))) : null);
  const tiles = tilesFrom(typeof payload.map_tiles === 'string' ? payload.map_tiles : '');
  // An emptied text is sent as an empty text; null would restore the default.
  const texts = Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, value ?? '']));
  return {
    ...texts,
    query_refresh_intervals: seconds(payload.query_refresh_intervals),
    dashboard_refresh_intervals: seconds(payload.dashboard_refresh_intervals),
    map_tiles: 'sources' in tiles ? tiles.sources : null,
  };
}

/** The fields of parts that are switched off, and those of the other way of setting up SAML. */
export const hiddenNames = (parts: readonly SettingsPart[], values: FormValues): string[] =>
  parts.flatMap(({ fields, switchedBy }) =>
    fields
      .map(({ name }) => name)
      .filter((name) => {
        const isOff = switchedBy !== undefined && name !== switchedBy && values[switchedBy] !== true;
        return isOff || isHiddenBySamlType(name, values.auth_saml_type);
      }),
  );

/** Whether a SAML field belongs to the other way of setting it up. */
const isHiddenBySamlType = (name: string, type: FormValues[string]): boolean =>
  type === 'static' ? name === 'auth_saml_metadata_url' : name === 'auth_saml_sso_url' || name === 'auth_saml_x509_cert';
