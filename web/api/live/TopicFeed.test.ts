import type { ServerEvents } from '@telltale/domain/live/contract.ts';
import { expect, test, vi } from 'vitest';
import { LiveConnection } from './LiveConnection.ts';
import { TopicFeed, type TopicKind } from './TopicFeed.ts';
import { fakeSockets, fakeTimersInEachTest } from './testing/fakeSockets.ts';

const jobs: TopicKind = { begin: 'watch', end: 'unwatch', news: 'job', asked: ({ job }: ServerEvents['job']) => ({ job: job.id }) };
const readings: TopicKind = { begin: 'follow_readings', end: 'unfollow_readings', news: 'readings', asked: () => ({}) };
const watch = (job: string) => ({ event: 'watch', data: { job } });
const listener = () => ({ onNews: vi.fn(), onLost: vi.fn(), onRenewed: vi.fn() });

fakeTimersInEachTest();

function setUp() {
  const { sockets, open, last } = fakeSockets();
  return { sockets, last, feed: new TopicFeed(new LiveConnection(open), [jobs, readings]) };
}

test('news reach the listeners of their topic only', () => {
  const { last, feed } = setUp();
  const [one, other, all] = [listener(), listener(), listener()];
  feed.subscribe(jobs, { job: 'a' }, one);
  feed.subscribe(jobs, { job: 'b' }, other);
  feed.subscribe(readings, {}, all);
  last().open();
  expect(last().sent).toEqual([watch('a'), watch('b'), { event: 'follow_readings', data: {} }]);
  last().say('job', { job: { id: 'a', status: 2 } });
  last().say('readings', { at: 'now' });
  expect(one.onNews.mock.calls).toEqual([[{ job: { id: 'a', status: 2 } }]]);
  expect(other.onNews).not.toHaveBeenCalled();
  expect(all.onNews).toHaveBeenCalledOnce();
});

test('listeners of one topic share it; the last one ends it', () => {
  const { last, feed } = setUp();
  const ends = [feed.subscribe(jobs, { job: 'a' }, listener()), feed.subscribe(jobs, { job: 'a' }, listener())];
  last().open();
  expect(last().sent).toEqual([watch('a')]);
  ends[0]?.();
  ends[0]?.();
  expect(last().sent).toHaveLength(1);
  ends[1]?.();
  expect(last().sent[1]).toEqual({ event: 'unwatch', data: { job: 'a' } });
  expect(feed.hasSubscribers).toBe(false);
});

test('a later listener of a topic gets its current state', () => {
  const { last, feed } = setUp();
  feed.subscribe(jobs, { job: 'a' }, listener());
  last().open();
  feed.subscribe(jobs, { job: 'a' }, listener());
  expect(last().sent).toEqual([watch('a'), watch('a')]);
});

test('listeners hear of a loss and of the return, and the subscription is renewed', () => {
  const { last, feed } = setUp();
  const one = listener();
  feed.subscribe(jobs, { job: 'a' }, one);
  last().open();
  expect(one.onRenewed).not.toHaveBeenCalled();
  last().end();
  expect(one.onLost).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1000);
  last().open();
  expect(last().sent).toEqual([watch('a')]);
  expect(one.onRenewed).toHaveBeenCalledOnce();
});

test('a refusal reaches the listeners of the refused topic, and is asked again unless it lasts', () => {
  const { last, feed } = setUp();
  const [gone, busy, other] = [listener(), listener(), listener()];
  feed.subscribe(jobs, { job: 'gone' }, gone);
  feed.subscribe(jobs, { job: 'busy' }, busy);
  feed.subscribe(jobs, { job: 'other' }, other);
  last().open();
  last().say('error', { code: 'not_found', message: 'Job not found.', event: 'watch', asked: { job: 'gone' } });
  last().say('error', { code: 'failed', message: 'This failed.', event: 'watch', asked: { job: 'busy' } });
  last().say('error', { code: 'invalid', message: 'A frame is not valid JSON.' });
  expect([gone, busy, other].map(({ onLost }) => onLost.mock.calls.length)).toEqual([1, 1, 0]);
  last().sent.length = 0;
  vi.advanceTimersByTime(10_000);
  expect(last().sent).toEqual([watch('busy')]);
});
