import { expect, test } from 'vitest';
import { hasDashboardTab } from './hasDashboardTab.ts';

test('D2: the Dashboard tab of a device is for the user named admin, not for administrators of another name', () => {
  expect(hasDashboardTab({ name: 'admin' })).toBe(true);
  const administrator = { name: 'Ada', permissions: ['admin'] };
  expect(hasDashboardTab(administrator)).toBe(false);
});
