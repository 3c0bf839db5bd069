import { expect, test } from 'vitest';
import { offeredSteps } from './onboardingSteps.ts';

const nothing = { users: 1, alerts: 0, data_sources: 0, queries: 0, dashboards: 0 };
const always = () => true;

test('an administrator is offered five steps', () => {
  const steps = offeredSteps(nothing, always, always);
  expect(steps.map(({ text }) => text)).toEqual([
    'Connect a Data Source',
    'Create your first Query',
    'Create your first Alert',
    'Create your first Dashboard',
    'Invite your team members',
  ]);
  expect(steps.every(({ isDone }) => !isDone)).toBe(true);
});

test('others are told to ask for a data source and invite nobody', () => {
  const [first, ...rest] = offeredSteps(nothing, always, (permission) => permission !== 'admin');
  expect(first).toEqual({ text: 'Ask an account admin to connect a data source', isDone: false });
  expect(rest.map(({ path }) => path)).toEqual(['/queries/new', '/alerts/new', '/dashboards/new']);
});

test('a step whose page is not registered is not offered', () => {
  expect(offeredSteps(nothing, (path) => path === '/users/new', always).map(({ path }) => path)).toEqual(['/users/new']);
});

test('counters mark steps as done; the first user invited nobody', () => {
  const done = (counters: typeof nothing) => offeredSteps(counters, always, always).map(({ isDone }) => isDone);
  expect(done({ users: 1, alerts: 1, data_sources: 2, queries: 0, dashboards: 0 })).toEqual([true, false, true, false, false]);
  expect(done({ ...nothing, users: 2 }).at(-1)).toBe(true);
});
