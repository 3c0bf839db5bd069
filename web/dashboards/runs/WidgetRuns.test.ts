import type { QueryResult } from '@telltale/domain/results/contract.ts';
import { describe, expect, test, vi } from 'vitest';
import { type Question, WidgetRuns } from './WidgetRuns.ts';

const result = (id: number, retrieved_at = '2026-01-01T00:00:00Z'): QueryResult =>
  ({ id, retrieved_at, data: { columns: [], rows: [] } }) as unknown as QueryResult;

interface Asked {
  key: string;
  maxAge: number;
  answer: (value: QueryResult | Error) => void;
}

function board({ most = 2, now = () => 0 }: { most?: number; now?: () => number } = {}) {
  const asked: Asked[] = [];
  const runs = new WidgetRuns(async (error) => (error instanceof Error ? error.message : ''), { most, now });
  const question = (key: string): Question => ({
    key,
    ask: (maxAge) =>
      new Promise((resolve, reject) => {
        asked.push({ key, maxAge, answer: (value) => (value instanceof Error ? reject(value) : resolve(value)) });
      }),
  });
  const keys = () => asked.map(({ key }) => key);
  return { runs, asked, keys, question };
}
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('complaint 25: the runs of a dashboard', () => {
  test('widgets far from the screen are not requested', () => {
    const { runs, keys, question } = board();
    runs.want(1, question('a'));
    expect(keys()).toEqual([]);
    runs.setNearness(1, 'visible');
    expect(keys()).toEqual(['a']);
  });

  test('a stored result that is older than its query allows is run again, and stays when that fails', async () => {
    const { runs, asked, question } = board({ now: () => Date.parse('2026-01-01T00:02:00Z') });
    runs.want(1, { ...question('a'), staleSeconds: 60 });
    runs.setNearness(1, 'visible');
    asked[0]?.answer(result(7));
    await settle();
    expect(asked.map(({ maxAge }) => maxAge)).toEqual([-1, 0]);
    expect(runs.runOf(1).result?.id).toBe(7);
    asked[1]?.answer(new Error('no'));
    await settle();
    expect(runs.runOf(1)).toMatchObject({ status: 'done', fault: null, result: { id: 7 } });
    expect(asked).toHaveLength(2);
  });

  test('issue 20: new readings are asked for without a sign of running, and those that come meanwhile once more', async () => {
    let clock = 0;
    const { runs, asked, question } = board({ now: () => clock++ });
    runs.want(1, question('a'));
    runs.setNearness(1, 'visible');
    asked[0]?.answer(result(1));
    await settle();
    for (let n = 0; n < 3; n++) runs.follow(1);
    expect(asked).toHaveLength(2);
    expect(runs.runOf(1)).toMatchObject({ status: 'done', result: { id: 1 } });
    asked[1]?.answer(result(2));
    await settle();
    expect(runs.runOf(1)).toMatchObject({ status: 'done', result: { id: 2 } });
    expect(asked).toHaveLength(3);
    asked[2]?.answer(new Error('gone'));
    await settle();
    expect(runs.runOf(1)).toMatchObject({ status: 'failed', fault: 'gone', result: { id: 2 } });
    expect(asked).toHaveLength(3);
  });

  test('a result that is young enough is not run again', async () => {
    const { runs, asked, question } = board({ now: () => Date.parse('2026-01-01T00:00:30Z') });
    runs.want(1, { ...question('a'), staleSeconds: 60 });
    runs.setNearness(1, 'visible');
    asked[0]?.answer(result(7));
    await settle();
    expect(asked).toHaveLength(1);
  });

  test('widgets on the screen come before those near it, a few at a time', async () => {
    const { runs, asked, keys, question } = board({ most: 1 });
    for (const [id, nearness] of [
      [1, 'near'],
      [2, 'near'],
      [3, 'visible'],
    ] as const) {
      runs.want(id, question(`q${id}`));
      if (id > 1) runs.setNearness(id, nearness);
    }
    runs.setNearness(1, 'near');
    expect(keys()).toEqual(['q2']);
    asked[0]?.answer(result(2));
    await settle();
    expect(keys()).toEqual(['q2', 'q3']);
    asked[1]?.answer(result(3));
    await settle();
    expect(keys()).toEqual(['q2', 'q3', 'q1']);
  });

  test('equal questions are asked once, and all of them get the answer', async () => {
    const { runs, asked, question } = board({ most: 1 });
    for (const id of [1, 2, 3]) {
      runs.want(id, question('same'));
      runs.setNearness(id, 'visible');
    }
    expect(asked).toHaveLength(1);
    asked[0]?.answer(result(9));
    await settle();
    expect([1, 2, 3].map((id) => runs.runOf(id).result?.id)).toEqual([9, 9, 9]);
  });

  test('what was answered is not asked again by who comes later, unless they want it fresh', async () => {
    let at = 0;
    const { runs, asked, question } = board({ now: () => at });
    runs.want(1, question('same'));
    runs.setNearness(1, 'visible');
    asked[0]?.answer(result(9));
    await settle();
    runs.want(2, question('same'));
    runs.setNearness(2, 'visible');
    await settle();
    expect([asked.length, runs.runOf(2).result?.id]).toEqual([1, 9]);
    at = 1000;
    runs.refresh(2);
    asked[1]?.answer(result(10));
    await settle();
    expect([1, 2].map((id) => runs.runOf(id).result?.id)).toEqual([9, 10]);
    at = 2000;
    runs.refreshAll();
    asked[2]?.answer(result(11));
    await settle();
    runs.want(3, question('same'));
    runs.setNearness(3, 'visible');
    await settle();
    expect([asked.length, ...[1, 2, 3].map((id) => runs.runOf(id).result?.id)]).toEqual([3, 11, 11, 11]);
  });

  test('at first any answer will do, a changed question wants a fresh one', async () => {
    const { runs, asked, question } = board();
    runs.setNearness(1, 'visible');
    runs.want(1, question('a'));
    runs.want(1, question('a'));
    runs.want(1, question('b'));
    expect(asked.map(({ key, maxAge }) => [key, maxAge])).toEqual([
      ['a', -1],
      ['b', 0],
    ]);
  });

  test('who comes into view after a refresh takes what was made since', () => {
    let at = 0;
    const { runs, asked, question } = board({ now: () => at });
    runs.want(1, question('a'));
    runs.refreshAll();
    at = 30_000;
    runs.setNearness(1, 'visible');
    expect(asked.map(({ maxAge }) => maxAge)).toEqual([30]);
  });

  test('who asks for the first time after a refresh takes what was made since, too', () => {
    let at = 0;
    const { runs, asked, question } = board({ now: () => at });
    runs.refreshAll();
    at = 20_000;
    runs.setNearness(1, 'visible');
    runs.want(1, question('a'));
    expect(asked.map(({ maxAge }) => maxAge)).toEqual([20]);
  });

  test('answers that are here together are shown one after the other, each when the screen shows the one before', async () => {
    const frames: (() => void)[] = [];
    const runs = new WidgetRuns(async () => '', { nextFrame: () => new Promise((resolve) => frames.push(resolve)) });
    for (const id of [1, 2]) {
      runs.want(id, { key: 'same', ask: async () => result(9) });
      runs.setNearness(id, 'visible');
    }
    await settle();
    expect([1, 2].map((id) => runs.runOf(id).status)).toEqual(['done', 'waiting']);
    frames[0]?.();
    await settle();
    expect(runs.runOf(2).status).toBe('done');
  });

  test('an answer waits for the code that draws it', async () => {
    const { runs, asked, question } = board();
    let arrive = () => {};
    const untilDrawable = () => new Promise<void>((resolve) => (arrive = resolve));
    runs.setNearness(1, 'visible');
    runs.want(1, { ...question('a'), untilDrawable });
    asked[0]?.answer(result(1));
    await settle();
    expect(runs.runOf(1).status).toBe('waiting');
    arrive();
    await settle();
    expect(runs.runOf(1).status).toBe('done');
  });

  test('what takes no time is not shown to run, what takes longer is', async () => {
    vi.useFakeTimers();
    try {
      const { runs, question } = board();
      runs.setNearness(1, 'visible');
      runs.want(1, question('a'));
      await vi.advanceTimersByTimeAsync(150);
      expect(runs.runOf(1).status).toBe('waiting');
      await vi.advanceTimersByTimeAsync(100);
      expect(runs.runOf(1).status).toBe('running');
    } finally {
      vi.useRealTimers();
    }
  });

  test('a late answer to an old question is not shown', async () => {
    const { runs, asked, question } = board();
    runs.setNearness(1, 'visible');
    runs.want(1, question('a'));
    runs.want(1, question('b'));
    asked[1]?.answer(result(2));
    await settle();
    asked[0]?.answer(result(1));
    await settle();
    expect(runs.runOf(1)).toMatchObject({ status: 'done', result: { id: 2 } });
  });

  test('a failure keeps the last good result, and counts', async () => {
    const { runs, asked, question } = board();
    const heard = vi.fn();
    runs.subscribe(heard);
    runs.setNearness(1, 'visible');
    runs.want(1, question('a'));
    asked[0]?.answer(result(1, '2026-02-01T00:00:00Z'));
    await settle();
    runs.refresh(1);
    asked[1]?.answer(new Error('no such table'));
    await settle();
    expect(runs.runOf(1)).toMatchObject({ status: 'failed', fault: 'no such table', result: { id: 1 } });
    expect(runs.summary()).toEqual({ isBusy: false, failures: 1, oldest: '2026-02-01T00:00:00Z' });
    runs.keepOnly(new Set());
    expect(runs.summary().failures).toBe(0);
    expect(heard).toHaveBeenCalled();
  });
});
