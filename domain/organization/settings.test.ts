import { describe, expect, test } from 'vitest';
import { SettingsChanges } from './contract.ts';
import { defaultSettings, isAnyLoginLeft, settingNames, settingsFrom } from './settings.ts';

const none = { google: false, ldap: false, saml: false };

describe('22: settings', () => {
  test('what is stored wins; null, nonsense and the unknown mean the default', () => {
    expect(settingsFrom({})).toEqual(defaultSettings);
    expect(settingsFrom({ date_format: 'YYYY', null_value: null, time_zone: 'Nowhere', disable_public_urls: 'yes', other: 1 })).toEqual({
      ...defaultSettings,
      date_format: 'YYYY',
    });
  });

  test('a stored prototype is no setting', () => {
    const settings = settingsFrom(JSON.parse('{"__proto__": {"date_format": "x", "disable_public_urls": true}}'));
    expect(settings).toEqual(defaultSettings);
    expect(Object.getPrototypeOf(settings)).toBe(Object.prototype);
  });

  test('every setting can be sent, as its default and as null', () => {
    expect(SettingsChanges.safeParse(defaultSettings).success).toBe(true);
    expect(SettingsChanges.safeParse(Object.fromEntries(settingNames.map((name) => [name, null]))).success).toBe(true);
  });

  test('what is not sent stays out: no default sneaks in with a change', () => {
    expect(SettingsChanges.parse({})).toEqual({});
    expect(SettingsChanges.parse({ date_format: 'YYYY' })).toEqual({ date_format: 'YYYY' });
  });
});

describe('A4: somebody can always come in', () => {
  test.each([
    [{}, none, true],
    [{ auth_password_login_enabled: false }, none, false],
    [{ auth_password_login_enabled: false, auth_saml_enabled: true }, none, false],
    [{ auth_password_login_enabled: false, auth_saml_enabled: true }, { ...none, saml: true }, true],
    [{ auth_password_login_enabled: false, auth_saml_enabled: false }, { ...none, saml: true }, false],
    [{ auth_password_login_enabled: false }, { ...none, google: true }, true],
    [{ auth_password_login_enabled: false }, { ...none, ldap: true }, true],
  ])('%j with %j → %s', (settings, available, expected) => {
    expect(isAnyLoginLeft({ ...defaultSettings, ...settings }, available)).toBe(expected);
  });
});
