import { expect, test } from 'vitest';
import { airtimeMs, dutyCyclePercent, perHourAtOnePercent, scheduleDutyPercent } from './airtime.ts';

/** Milliseconds for a payload of 10 bytes (23 with LoRaWAN's own), 4/5, by the formula of the modem's data sheet. */
const published: [sf: number, khz: number, ms: number][] = [
  [7, 125, 61.696],
  [8, 125, 113.152],
  [9, 125, 205.824],
  [10, 125, 370.688],
  [11, 125, 823.296],
  [12, 125, 1482.752],
  [7, 250, 30.848],
  [8, 250, 56.576],
  [9, 250, 102.912],
  [10, 250, 185.344],
  [11, 250, 370.688],
  [12, 250, 741.376],
  [7, 500, 15.424],
  [8, 500, 28.288],
  [9, 500, 51.456],
  [10, 500, 92.672],
  [11, 500, 185.344],
  [12, 500, 329.728],
];

test.each(published)('Airtime of 10 bytes at SF%i and %i kHz', (sf, bandwidth_khz, ms) => {
  expect(airtimeMs({ bytes: 10, sf, bandwidth_khz, coding_rate: 1 })).toBeCloseTo(ms, 6);
});

test.each([
  [0, 7, 46.336],
  [51, 12, 2793.472],
  [222, 7, 368.896],
  [8, 7, 56.576],
])('Airtime of %i bytes at SF%i, 125 kHz', (bytes, sf, ms) => {
  expect(airtimeMs({ bytes, sf, bandwidth_khz: 125, coding_rate: 1 })).toBeCloseTo(ms, 6);
});

test('Airtime grows with the coding rate by whole blocks', () => {
  const at = (coding_rate: number) => airtimeMs({ bytes: 10, sf: 7, bandwidth_khz: 125, coding_rate });
  expect([1, 2, 3, 4].map(at).map((ms) => Math.round(ms * 1000) / 1000)).toEqual([61.696, 69.888, 78.08, 86.272]);
});

test('Duty cycle: one percent of an hour is 36 seconds on air', () => {
  expect(perHourAtOnePercent(61.696)).toBe(583);
  expect(perHourAtOnePercent(36_000)).toBe(1);
  expect(perHourAtOnePercent(36_001)).toBe(0);
  expect(dutyCyclePercent(1482.752, 60)).toBeCloseTo(2.4713, 3);
});

test('the duty cycle of a schedule counts its devices and how often it runs', () => {
  const every = (minutes: number) => Array.from({ length: 5 }, (_, n) => new Date(n * minutes * 60_000).toISOString());
  const hourly = scheduleDutyPercent({ bytes: 2, devices: 1, next: every(60) }) ?? 0;
  expect(hourly).toBeGreaterThan(0.02);
  expect(hourly).toBeLessThan(0.05);
  expect(scheduleDutyPercent({ bytes: 2, devices: 10, next: every(5) })).toBeCloseTo(hourly * 120, 6);
  expect(scheduleDutyPercent({ bytes: 2, devices: 10, next: every(60).slice(0, 1) })).toBeNull();
});
