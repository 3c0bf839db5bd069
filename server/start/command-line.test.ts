import { expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';
import { bannerText } from './banner.ts';
import { findRoles } from './command-line.ts';

test('no words mean all roles, words mean each named role once, an unknown word means none', () => {
  expect(findRoles([])).toEqual(['web', 'worker', 'ingest']);
  expect(findRoles(['worker', 'web', 'worker'])).toEqual(['web', 'worker']);
  expect(findRoles(['web', 'wroker'])).toBeUndefined();
});

test('the wait doubles from 0.2 to 10 seconds and begins anew after 30 seconds alive', () => {
  let now = 0;
  const backoff = createBackoff(() => now);
  const dieAfter = (ms: number) => {
    backoff.started();
    now += ms;
    return backoff.nextWaitMs();
  };
  expect(Array.from({ length: 8 }, () => dieAfter(100))).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  expect(dieAfter(30_000)).toBe(200);
});

test('the banner is aligned and shows the set-up code only when there is one', () => {
  const mqtt = ['mqtt://localhost:1883'];
  const facts = { address: 'http://localhost:5000', mqtt, dataFolder: '/data', database: 'embedded', notes: ['moved'], startedInMs: 1234 };
  const lines = bannerText({ ...facts, setupCode: 'ABCD' }).split('\n');
  expect(lines.filter((line) => /^ {2}\S.* {2}\S/.test(line)).map((line) => line.search(/(?<= {2})\S+$/))).toEqual([
    17, 17, 17, 17, 17, 17, 17,
  ]);
  expect(lines).toContain('  One-time code  ABCD');
  expect(lines).toContain('  Set-up         http://localhost:5000/setup');
  expect(lines).toContain('  MQTT           mqtt://localhost:1883');
  expect(bannerText(facts)).not.toContain('/setup');
  expect(bannerText({ ...facts, mqtt: [] })).toContain('switched off');
});
