import { describe, expect, test } from 'vitest';
import { dashboardIdOf, dashboardUrl, slugOf } from './address.ts';
import { DashboardName } from './contract.ts';
import { refreshChoices, refreshSeconds } from './refresh.ts';
import { shortTitle, widgetTitle } from './titles.ts';

test.each([
  ['Cold Storage', 'cold-storage'],
  ['  A & B!!  ', '-a-b-'],
  ['Überblick_2-x', '-berblick_2-x'],
  ['温度', '-'],
  ['<script>alert(1)</script>', '-script-alert-1-script-'],
  ['../../etc', '-etc'],
])('server-behaviour 16.1: the slug of %j is %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test('server-behaviour 16.1: the canonical address has the number first', () => {
  expect(dashboardUrl({ id: 12, name: 'Cold Storage' })).toBe('/dashboards/12-cold-storage');
});

test.each([
  ['12', 12],
  ['12-cold-storage', 12],
  ['12-', 12],
  ['12x', undefined],
  ['cold-12', undefined],
  ['0', undefined],
  ['99999999999', undefined],
  ['2147483648', undefined],
  ['', undefined],
  ['-1', undefined],
])('D2: %j names the dashboard %s', (part, id) => {
  expect(dashboardIdOf(part)).toBe(id);
});

test('D5: a name is trimmed and not empty', () => {
  expect(DashboardName.parse('  Cold  ')).toBe('Cold');
  for (const name of ['', '   ', 'x'.repeat(101), 5, null]) expect(DashboardName.safeParse(name).success).toBe(false);
});

describe('D2: titles of widgets', () => {
  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['123456789012345678901', '12345678901234567890…'],
    ['1234567890123456789 abc', '1234567890123456789…'],
    ['👩‍🚒'.repeat(21), `${'👩‍🚒'.repeat(20)}…`],
    ['', ''],
  ])('%j is shown as %j', (title, shown) => {
    expect(shortTitle(title, 20)).toBe(shown);
  });

  test('screens 9.4: the visualization is named when it has a name of its own', () => {
    expect(widgetTitle({ name: 'Chart' }, { name: 'Cold' }, 'Chart')).toBe('Cold');
    expect(widgetTitle({ name: 'By hour' }, { name: 'Cold' }, 'Chart')).toBe('By hour – Cold');
  });
});

describe('D9: how often a dashboard refreshes itself', () => {
  test.each<[string | number | null | undefined, number[], number | null]>([
    ['60', [60, 300], 60],
    ['5', [60, 300], 60],
    ['5', [], 30],
    [5, [10, 300], 30],
    ['90', [60, 300], 90],
    ['', [60], null],
    [null, [60], null],
    [undefined, [60], null],
    ['0', [60], null],
    ['-5', [60], null],
    ['soon', [60], null],
    ['1e99', [60], 2_592_000],
  ])('%j with %j is %s', (asked, configured, seconds) => {
    expect(refreshSeconds(asked, configured)).toBe(seconds);
  });

  test('unconfigured mappings are shown and cannot be chosen', () => {
    const choices = refreshChoices([300, 900]);
    expect(choices.find(({ seconds }) => seconds === 60)).toEqual({ seconds: 60, isAllowed: false });
    expect(choices.filter(({ isAllowed }) => isAllowed).map(({ seconds }) => seconds)).toEqual([300, 900]);
  });
});
