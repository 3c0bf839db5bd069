import { eventsApi } from '@telltale/domain/events/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { defaultSettings, settingNames } from '@telltale/domain/organization/settings.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const save = (body: object) => admin.call(organizationApi.saveSettings, { body });
const read = async () => (await admin.get(organizationApi.settings)).settings;
const stored = async () => (await sql<{ settings: object }>`select settings from organizations`.execute(app.ctx.db)).rows[0]?.settings;
beforeEach(() => sql`update organizations set settings = '{}'`.execute(app.ctx.db));

/** server-behaviour 22, A3 and ours. */
const keys = [
  'auth_password_login_enabled', 'auth_saml_enabled', 'auth_saml_type', 'auth_saml_entity_id', 'auth_saml_metadata_url', 'auth_saml_nameid_format',
  'auth_saml_sso_url', 'auth_saml_x509_cert', 'auth_saml_sp_settings', 'date_format', 'time_format', 'integer_format', 'float_format',
  'thousands_separator', 'decimal_separator', 'null_value', 'multi_byte_search_enabled', 'auth_jwt_login_enabled', 'auth_jwt_auth_issuer',
  'auth_jwt_auth_public_certs_url', 'auth_jwt_auth_audience', 'auth_jwt_auth_cookie_name', 'auth_jwt_auth_header_name', 'auth_jwt_auth_algorithms',
  'feature_show_permissions_control', 'send_email_on_failed_scheduled_queries', 'hide_plotly_mode_bar', 'disable_public_urls', 'auth_google_apps_domains',
  'auth_google_enabled', 'auth_google_client_id', 'auth_google_client_secret', 'auth_oidc_enabled', 'auth_oidc_name', 'auth_oidc_issuer',
  'auth_oidc_client_id', 'auth_oidc_client_secret', 'auth_oidc_domains', 'auth_oidc_groups_claim', 'auth_ldap_enabled', 'auth_ldap_url',
  'auth_ldap_starttls', 'auth_ldap_bind_dn', 'auth_ldap_bind_password', 'auth_ldap_search_dn', 'auth_ldap_filter', 'auth_ldap_email_attribute',
  'auth_ldap_name_attribute', 'auth_saml_groups_attribute', 'auth_ldap_ca_cert', 'auth_oidc_logout', 'audit_days',
  'time_zone', 'query_refresh_intervals', 'dashboard_refresh_intervals', 'disable_fullscreen', 'map_tiles', 'widget_title_length', 'week_start',
]; // biome-ignore format: a list

describe('22: reading and saving settings', () => {
  test('A3: every key is there with its default; the consent is null until it is answered', async () => {
    const { settings } = (await (await admin.fetch('/api/settings/organization')).json()) as { settings: Record<string, unknown> };
    expect(Object.keys(settings).sort()).toEqual([...keys, 'beacon_consent'].sort());
    expect(settings.beacon_consent).toBeNull();
    expect(settings).toMatchObject({
      auth_password_login_enabled: true,
      date_format: 'DD/MM/YY',
      time_format: 'HH:mm',
      integer_format: '0,0',
      float_format: '0,0.00',
      thousands_separator: ',',
      decimal_separator: '.',
      null_value: 'null',
      auth_jwt_auth_algorithms: ['HS256', 'RS256', 'ES256'],
      auth_google_apps_domains: [],
      time_zone: 'UTC',
    });
    expect((await save({ beacon_consent: false })).body.settings).toMatchObject({ beacon_consent: false });
    expect(settingNames.sort()).toEqual([...keys, 'beacon_consent'].sort());
  });

  test('only sent fields change, and the answer is complete', async () => {
    await save({ date_format: 'YYYY-MM-DD' });
    const { body } = await save({ null_value: '–' });
    expect(body.settings).toMatchObject({ date_format: 'YYYY-MM-DD', null_value: '–', time_format: 'HH:mm' });
    expect(await read()).toEqual(body.settings);
  });

  test('null puts a key back to its default', async () => {
    await save({ date_format: 'YYYY-MM-DD', auth_google_apps_domains: ['example.com'], disable_public_urls: true });
    const { body } = await save({ date_format: null, auth_google_apps_domains: null, disable_public_urls: null });
    expect(body.settings).toMatchObject({ date_format: 'DD/MM/YY', auth_google_apps_domains: [], disable_public_urls: false });
    expect(await stored()).toEqual({});
  });

  test('nothing at all changes nothing', async () => {
    await save({ hide_plotly_mode_bar: true });
    expect((await save({})).body.settings).toMatchObject({ hide_plotly_mode_bar: true });
  });

  test.each([
    [{ nonsense: 1 }],
    [{ settings: { date_format: 'YYYY-MM-DD' } }],
    [{ slug: 'other', id: 2, name: 'x' }],
    [{ constructor: 1 }],
    [{ date_format: 'YYYY-MM-DD', Date_Format: 'x' }],
    [[]],
    [['date_format']],
  ])('unknown keys %j are a 400, and the known ones beside them are not saved', async (body) => {
    expect((await save(body)).status).toBe(400);
    expect(await stored()).toEqual({});
  });

  test.each([
    { date_format: 5 },
    { date_format: '' },
    { date_format: 'D'.repeat(41) },
    { date_format: ['DD'] },
    { thousands_separator: ',,' },
    { null_value: {} },
    { null_value: 'n'.repeat(4097) },
    { hide_plotly_mode_bar: 'true' },
    { hide_plotly_mode_bar: 1 },
    { auth_google_apps_domains: 'example.com' },
    { auth_google_apps_domains: [5] },
    { auth_google_apps_domains: [''] },
    { auth_jwt_auth_algorithms: ['none'] },
    { time_zone: 'Mars/Olympus' },
    { time_zone: '' },
    { query_refresh_intervals: [0] },
    { query_refresh_intervals: [1.5] },
    { query_refresh_intervals: ['60'] },
    { query_refresh_intervals: Array(101).fill(60) },
    { dashboard_refresh_intervals: [29] },
    { beacon_consent: 'yes' },
    { null_value: 'a\u0000b' },
  ])('%j is a 400 and not saved', async (body) => {
    expect((await save(body)).status).toBe(400);
    expect(await stored()).toEqual({});
  });

  test('22: nobody can lock everybody out', async () => {
    for (const body of [
      { auth_password_login_enabled: false },
      { auth_password_login_enabled: false, auth_saml_enabled: true },
      { auth_password_login_enabled: false, auth_jwt_login_enabled: true },
      { auth_password_login_enabled: false, auth_google_apps_domains: ['example.com'] },
    ]) {
      expect(await save(body)).toMatchObject({
        status: 400,
        message: 'Password login can be disabled only if another login method is enabled.',
      });
    }
    expect((await app.anonymous().signIn(app.admin.email, app.admin.password)).status).toBe(200);
  });

  test('A4: with another method that works it may be off; turning off the last one turns it on again', async () => {
    const saml = { auth_saml_enabled: true, auth_saml_metadata_url: 'https://idp.example/metadata' };
    const off = { auth_password_login_enabled: false };
    const signIn = async () => (await app.anonymous().signIn(app.admin.email, app.admin.password)).status;
    for (const last of [{ auth_saml_enabled: false }, { auth_saml_metadata_url: '' }]) {
      expect((await save({ ...off, ...saml })).status).toBe(200);
      expect(await signIn()).toBe(400);
      expect((await save({ ...off, ...last })).status).toBe(400);
      expect((await save(last)).body.settings).toMatchObject({ ...last, auth_password_login_enabled: true });
      expect(await signIn()).toBe(200);
    }
  });

  test('secrets are sealed, read back as dashes, kept by dashes, and never sent to another address', async () => {
    const oidc = { auth_oidc_issuer: 'https://idp.example', auth_oidc_client_secret: 'canary-secret' };
    expect((await save(oidc)).status).toBe(200);
    expect(JSON.stringify(await stored())).not.toContain('canary');
    expect((await read()).auth_oidc_client_secret).toBe('--------');
    const before = await stored();
    expect((await save({ auth_oidc_client_secret: '--------', auth_oidc_client_id: 'console' })).status).toBe(200);
    expect(await stored()).toEqual({ ...before, auth_oidc_client_id: 'console' });
    expect((await save({ auth_oidc_issuer: 'https://evil.example', auth_oidc_client_secret: '--------' })).status).toBe(400);
    expect((await save({ auth_oidc_issuer: 'https://evil.example' })).status).toBe(400);
    expect((await save({ auth_oidc_issuer: 'https://evil.example', auth_oidc_client_secret: 'new' })).status).toBe(200);
  });

  test('two saves at once both stay', async () => {
    await Promise.all([
      save({ date_format: 'YYYY-MM-DD' }),
      save({ time_format: 'HH:mm:ss' }),
      save({ null_value: '-' }),
      save({ time_zone: 'Europe/Berlin' }),
    ]);
    expect(await read()).toMatchObject({ date_format: 'YYYY-MM-DD', time_format: 'HH:mm:ss', null_value: '-', time_zone: 'Europe/Berlin' });
  });

  test('a stored value that no longer fits means the default', async () => {
    await sql`update organizations set settings = '{"date_format": 7, "time_zone": "Nowhere", "gone": 1, "null_value": null}'`.execute(
      app.ctx.db,
    );
    expect(await read()).toMatchObject({ date_format: defaultSettings.date_format, time_zone: 'UTC', null_value: 'null' });
    expect((await save({ time_format: 'HH:mm:ss' })).status).toBe(200);
  });

  test('A6: only administrators read or save them', async () => {
    const user = app.as(await app.make.user());
    expect((await user.call(organizationApi.settings)).status).toBe(403);
    expect((await user.call(organizationApi.saveSettings, { body: { date_format: 'x' } })).status).toBe(403);
    expect(await stored()).toEqual({});
  });

  test('a change is recorded by its keys, never by its values', async () => {
    await save({ null_value: 'top secret', time_format: 'HH:mm' });
    const [event] = (await admin.get(eventsApi.list)).results;
    expect(event).toMatchObject({ action: 'edit', object_type: 'settings', details: { changed: 'null_value' } });
    expect(JSON.stringify(event)).not.toContain('top secret');
  });
});

describe('6: client_config', () => {
  /** server-behaviour 6, as everybody gets them. */
  const forAll = [
    'allowScriptsInUserInput', 'showPermissionsControl', 'hidePlotlyModeBar', 'disablePublicUrls', 'multiByteSearchEnabled', 'allowCustomJSVisualizations',
    'autoPublishNamedQueries', 'extendedAlertOptions', 'mailSettingsMissing', 'googleLoginEnabled', 'ldapLoginEnabled', 'dashboardRefreshIntervals',
    'queryRefreshIntervals', 'pageSize', 'pageSizeOptions', 'tableCellMaxJSONSize', 'basePath', 'dateFormat', 'dateTimeFormat', 'dateFormatList',
    'timeFormatList', 'integerFormat', 'floatFormat', 'thousandsSeparator', 'decimalSeparator', 'nullValue',
  ]; // biome-ignore format: a list

  test('has every key; version and consent only for those they concern', async () => {
    const session = async (user: { api_key: string }) => (await app.as(user).get(sessionApi.get)).client_config;
    const [signedOut, plain, chief] = [
      (await app.anonymous().get(sessionApi.publicConfig)).client_config,
      await session(await app.make.user()),
      await session(app.admin),
    ];
    for (const config of [signedOut, plain, chief]) expect(Object.keys(config)).toEqual(expect.arrayContaining(forAll));
    expect([signedOut.version, plain.version, chief.version]).toEqual([undefined, expect.any(String), expect.any(String)]);
    expect([signedOut.showBeaconConsentMessage, plain.showBeaconConsentMessage, chief.showBeaconConsentMessage]).toEqual([
      undefined,
      undefined,
      true,
    ]);
    await save({ beacon_consent: true });
    expect((await session(app.admin)).showBeaconConsentMessage).toBeUndefined();
  });

  test('has the defaults of the reference', async () => {
    expect((await app.anonymous().get(sessionApi.config)).client_config).toMatchObject({
      pageSize: 20,
      pageSizeOptions: [5, 10, 20, 50, 100],
      dashboardRefreshIntervals: [60, 300, 600, 1800, 3600, 43200, 86400],
      tableCellMaxJSONSize: 50_000,
      dateFormatList: ['DD/MM/YY', 'MM/DD/YY', 'YYYY-MM-DD'],
      timeFormatList: ['HH:mm', 'HH:mm:ss', 'HH:mm:ss.SSS'],
      dateTimeFormat: 'DD/MM/YY HH:mm',
      mailSettingsMissing: true,
      allowScriptsInUserInput: false,
      basePath: `${app.origin}/`,
    });
  });

  test('a saved setting is in effect at once, in the session and for pages without an account', async () => {
    await save({
      date_format: 'D MMM YYYY',
      time_format: 'h:mm a',
      float_format: '0.0',
      thousands_separator: '',
      decimal_separator: ',',
      null_value: '',
      hide_plotly_mode_bar: true,
      disable_public_urls: true,
      disable_fullscreen: true,
      feature_show_permissions_control: true,
      multi_byte_search_enabled: true,
      time_zone: 'Europe/Berlin',
      query_refresh_intervals: [7],
      dashboard_refresh_intervals: [30],
    });
    const expected = {
      dateFormat: 'D MMM YYYY',
      dateTimeFormat: 'D MMM YYYY h:mm a',
      dateFormatList: ['DD/MM/YY', 'MM/DD/YY', 'YYYY-MM-DD', 'D MMM YYYY'],
      timeFormatList: ['HH:mm', 'HH:mm:ss', 'HH:mm:ss.SSS', 'h:mm a'],
      floatFormat: '0.0',
      thousandsSeparator: '',
      decimalSeparator: ',',
      nullValue: '',
      hidePlotlyModeBar: true,
      disablePublicUrls: true,
      disableFullscreen: true,
      showPermissionsControl: true,
      multiByteSearchEnabled: true,
      timeZone: 'Europe/Berlin',
      queryRefreshIntervals: [7],
      dashboardRefreshIntervals: [30],
    };
    expect((await admin.get(sessionApi.get)).client_config).toMatchObject(expected);
    expect((await app.anonymous().get(sessionApi.config)).client_config).toMatchObject(expected);
    expect(await app.anonymous().get(sessionApi.publicConfig)).toMatchObject({ org_slug: 'default', client_config: expected });
  });

  test('security 26: nothing in it is a secret, a key, an address of somebody or a setting of a sign-on', async () => {
    await save({
      auth_saml_x509_cert: 'CANARY-CERT',
      auth_saml_sp_settings: 'CANARY-SP',
      auth_jwt_auth_issuer: 'CANARY-JWT',
      auth_google_apps_domains: ['canary.example'],
    });
    for (const path of ['/api/config', '/console/app/api/config']) {
      expect(await (await app.anonymous().fetch(path)).text()).not.toMatch(/canary|@example/i);
    }
    expect(await (await app.as(await app.make.user()).fetch('/api/session')).text()).not.toMatch(/canary/i);
  });
});

describe('6: object counters', () => {
  test('count enabled people, pending ones included', async () => {
    const count = async () => (await admin.get(organizationApi.status)).object_counters.users;
    const before = await count();
    const [, , disabled] = [await app.make.user({ pending: true }), await app.make.user(), await app.make.user()];
    await admin.get(usersApi.disable, { params: { id: disabled.id } });
    expect(await count()).toBe(before + 2);
  });
});
