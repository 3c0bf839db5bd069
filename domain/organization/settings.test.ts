import { describe, expect, test } from 'vitest';
import { SettingsChanges } from './contract.ts';
import { defaultSettings, settingNames, settingsFrom } from './settings.ts';

describe('22: settings', () => {
  test('stored values win; null, invalid and unknown ones mean the default', () => {
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

  test('fields that are not sent stay out: a change adds no defaults', () => {
    expect(SettingsChanges.parse({})).toEqual({});
    expect(SettingsChanges.parse({ date_format: 'YYYY' })).toEqual({ date_format: 'YYYY' });
  });
});
