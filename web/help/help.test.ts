import { expect, test } from 'vitest';
import { helpAddress, topicOf } from './help.ts';

test('help pages are ours unless the organisation names others', () => {
  expect(helpAddress('')).toBe('/help/index.html');
  expect(helpAddress('/help/index.html', 'devices')).toBe('/help/devices.html');
  expect(helpAddress('/help', 'account')).toBe('/help/account.html');
  expect(helpAddress('https://docs.example/telltale/', 'people')).toBe('https://docs.example/telltale/people.html');
});

test('an address of one page is taken as it is', () => {
  expect(helpAddress('https://docs.example/all.html', 'people')).toBe('https://docs.example/all.html');
});

test('issue 20: help opens on the topic of the page', () => {
  const found = [
    '/',
    '/mqtt/shed/devices/d-1',
    '/console/channels',
    '/queries/3/source',
    '/dashboards/1-x',
    '/data_sources',
    '/users',
    '/users/me',
  ];
  expect(found.map(topicOf)).toEqual(['getting-started', 'devices', 'devices', 'queries', 'dashboards', 'sources', 'people', 'account']);
  expect(topicOf('/settings/general')).toBe('index');
  expect(topicOf('/mqttx')).toBe('index');
});
