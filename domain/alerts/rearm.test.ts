import { describe, expect, test } from 'vitest';
import { criteriaWarning, defaultName } from './naming.ts';
import type { AlertState } from './options.ts';
import { isNotified, newsOf } from './rearm.ts';
import { rehearseDevice, rehearseSilence } from './rehearse.ts';
import { Rehearsal } from './replay.ts';
import { intervalText, reasonOf } from './wording.ts';

/** Pseudo-random numbers from a fixed seed. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** A second implementation of 14.4: the times of notifications, from a list of states and times. */
function model(states: readonly { at: number; state: AlertState }[], rearm: number): number[] {
  const told: number[] = [];
  let lastNews = Number.NEGATIVE_INFINITY;
  states.forEach(({ at, state }, place) => {
    const before = place === 0 ? 'unknown' : states[place - 1]?.state;
    const isChange = state !== before;
    const isRepeat = !isChange && state === 'triggered' && (rearm === 1 || (rearm > 1 && at >= lastNews + rearm * 1000));
    if (!isChange && !isRepeat) return;
    lastNews = at;
    if (!(before === 'unknown' && state === 'ok')) told.push(at);
  });
  return told;
}

describe('A4: rearm', () => {
  test.each([0, 1, 5, 60, 3600])('over random sequences, rearm %i tells what a simple model tells', (rearm) => {
    const next = random(rearm + 1);
    for (let round = 0; round < 300; round++) {
      let [before, lastAt, at]: [AlertState, Date | null, number] = ['unknown', null, 1_700_000_000_000];
      const states: { at: number; state: AlertState }[] = [];
      const told: number[] = [];
      const rehearsal = new Rehearsal(rearm);
      for (let n = 0; n < 60; n++) {
        at += Math.floor(next() * ([900, 20_000, 400_000][round % 3] ?? 0)) + 1;
        const state = (['unknown', 'ok', 'triggered', 'triggered'] as const)[Math.floor(next() * 4)] ?? 'ok';
        states.push({ at, state });
        const news = newsOf({ before, after: state, rearm, lastAt, now: new Date(at) });
        if (isNotified(news)) told.push(at);
        if (isNotified(news) || news === 'first_ok') lastAt = new Date(at);
        before = state;
        rehearsal.see(at, state, null);
      }
      expect(told).toEqual(model(states, rearm));
      expect(rehearsal.notifications).toBe(told.length);
    }
  });

  test('null is the same as 0', () => {
    const repeat = { before: 'triggered', after: 'triggered', lastAt: new Date(0), now: new Date() } as const;
    expect([null, 0, 1, 5].map((rearm) => newsOf({ ...repeat, rearm }))).toEqual(['rearm', 'rearm', 'repeat', 'repeat']);
  });
});

describe('rehearsals', () => {
  const options = {
    kind: 'device',
    channel_id: 'c',
    device_ids: [],
    attribute: 'a',
    op: '>',
    value: 10,
    for_seconds: 0,
    muted: false,
  } as const;
  const points = (...values: [at: number, value: number][]) =>
    values.map(([at, value]) => ({ at: at * 1000, kind: 'n', value, text: null }));

  test('a wait ends without another reading, and a reading below ends the wait', () => {
    const waiting = { ...options, device_ids: [], for_seconds: 60 };
    const seen = rehearseDevice(points([0, 20], [30, 5], [40, 20], [50, 30]), waiting, 0, 200_000);
    expect(seen.rehearsal.triggered).toEqual([{ at: 100_000, value: 30 }]);
    expect(rehearseDevice(points([0, 20]), waiting, 0, 59_000).rehearsal.triggered).toEqual([]);
  });

  test('silence is notified after its time, and again by rearm', () => {
    const times = [0, 10_000, 100_000];
    expect(rehearseSilence(times, 30, 0, 110_000).rehearsal).toMatchObject({ notifications: 2, triggered: [{ at: 40_000 }] });
    expect(rehearseSilence(times, 30, 20, 110_000).rehearsal.notifications).toBe(4);
  });
});

describe('words', () => {
  test('A4: the largest unit that divides evenly', () => {
    expect([1, 60, 90, 3600, 86_400, 604_800, 7200].map(intervalText)).toEqual([
      '1 second',
      '1 minute',
      '90 seconds',
      '1 hour',
      '1 day',
      '1 week',
      '2 hours',
    ]);
  });

  test('why not', () => {
    const told = { rearm: 3600, targets: ['Ops', 'a@b.example'], lack: undefined };
    expect(reasonOf({ ...told, outcome: 'notified' })).toBe('Sent to Ops, a@b.example.');
    expect(reasonOf({ ...told, outcome: 'rearm' })).toContain('at most every 1 hour');
    expect(reasonOf({ ...told, rearm: 0, outcome: 'rearm' })).toContain('just once until back to normal');
    expect(reasonOf({ ...told, outcome: 'no_value', lack: 'The value is empty.' })).toBe('Nobody was notified: The value is empty.');
  });

  test('A3: the default name', () => {
    expect(defaultName(null, { op: '>', value: 1 })).toBe('New Alert');
    expect(defaultName({ name: 'Pressure' }, { column: 'bar', op: '>', value: 1 })).toBe('Pressure: bar > 1');
  });

  test('A5: warnings of a condition', () => {
    expect(criteriaWarning(5, '>', 'many')).toBe("Value column type doesn't match threshold type.");
    expect(criteriaWarning('many', '>', 5)).toBe("Value column isn't supported by condition type.");
    expect([criteriaWarning(5, '>', '4'), criteriaWarning('x', '==', 'y'), criteriaWarning('2026-01-01', '>', '2026-01-02')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
