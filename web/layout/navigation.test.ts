import { expect, test } from 'vitest';
import { activeSettingsPath, offeredEntries, settingsEntries, topEntries } from './navigation.ts';
import { findPage, page } from './pageRoute.ts';

const pageAt = (path: string) => page(path, () => Promise.reject(new Error('not loaded in a test')), { title: path });
const everything = () => true;

test('an entry without a page is not drawn', () => {
  expect(offeredEntries(topEntries, [], everything)).toEqual([]);
  const titles = offeredEntries(topEntries, [pageAt('/alerts'), pageAt('/mqtt')], everything).map(({ title }) => title);
  expect(titles).toEqual(['Alerts', 'Mqtt']);
});

test('Q2: an entry needs its permission; LoRaWAN and Commands are always there', () => {
  const pages = topEntries.map(({ path }) => pageAt(path));
  const titles = offeredEntries(topEntries, pages, (permission) => permission === 'view_query').map(({ title }) => title);
  expect(titles).toEqual(['LoRaWAN', 'Queries', 'Commands']);
});

test('screens 12: "Users" is active for /users/7 but not for /users/me', () => {
  expect(activeSettingsPath(settingsEntries, '/users/7')).toBe('/users');
  expect(activeSettingsPath(settingsEntries, '/users/me')).toBe('/users/me');
  expect(activeSettingsPath(settingsEntries, '/groups/2')).toBe('/groups');
  expect(activeSettingsPath(settingsEntries, '/usersomething')).toBeUndefined();
});

test('A2: alert destinations are active at both of their addresses', () => {
  expect(activeSettingsPath(settingsEntries, '/destinations/3')).toBe('/destinations');
  expect(activeSettingsPath(settingsEntries, '/destination/new')).toBe('/destinations');
});

test('the exact page wins over the one with a placeholder', () => {
  const pages = [pageAt('/users/:userId'), pageAt('/users/me')];
  expect(findPage(pages, '/users/me')?.path).toBe('/users/me');
  expect(findPage(pages, '/users/12')?.path).toBe('/users/:userId');
  expect(findPage(pages, '/api/docs')).toBeUndefined();
});
