import { closeCodes } from '@telltale/domain/live/contract.ts';
import { expect, test, vi } from 'vitest';
import { LiveConnection, type LiveFeed, type ServerFrame } from './LiveConnection.ts';
import { fakeSockets, fakeTimersInEachTest } from './testing/fakeSockets.ts';

fakeTimersInEachTest();

/** A connection with two feeds that note what happens to them. */
function setUp() {
  const { sockets, open, last } = fakeSockets();
  const connection = new LiveConnection(open);
  const feed = () => {
    const made = { hasSubscribers: true, renewed: 0, lost: [] as string[], frames: [] as ServerFrame[] };
    const noted: LiveFeed & typeof made = {
      ...made,
      renew: () => noted.renewed++,
      receive: (frame) => noted.frames.push(frame),
      lose: (state) => noted.lost.push(state),
    };
    connection.add(noted);
    return noted;
  };
  return { sockets, last, connection, jobs: feed(), uplinks: feed() };
}

test('all feeds share one socket, which opens for the first subscriber', () => {
  const { sockets, last, connection, jobs, uplinks } = setUp();
  connection.connect();
  connection.connect();
  last().open();
  last().say('job', { n: 1 });
  expect(sockets).toHaveLength(1);
  expect([jobs.renewed, uplinks.renewed]).toEqual([1, 1]);
  expect(uplinks.frames).toEqual([{ event: 'job', data: { n: 1 } }]);
});

test('visualizations 18: a lost socket comes back after 1, 2, 4 … 30 s, and feeds subscribe again', () => {
  const { sockets, last, connection, jobs } = setUp();
  connection.connect();
  last().open();
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    last().end();
    expect(jobs.lost.pop()).toBe('reconnecting');
    const opened = sockets.length;
    vi.advanceTimersByTime(seconds * 1000 - 1);
    expect(sockets).toHaveLength(opened);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(opened + 1);
  }
  last().open();
  expect(jobs.renewed).toBe(2);
  last().say('pong', {});
  last().end();
  vi.advanceTimersByTime(1000);
  expect(last().readyState).toBe(0);
});

test('a server that accepts and hangs up without a word does not shorten the pauses', () => {
  const { sockets, last, connection } = setUp();
  connection.connect();
  for (const seconds of [1, 2, 4]) {
    last().open();
    last().end();
    vi.advanceTimersByTime(seconds * 1000 - 1);
    const opened = sockets.length;
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(opened + 1);
  }
});

test('a new subscriber waits ten seconds at most, and never opens a second socket', () => {
  const { sockets, last, connection } = setUp();
  connection.connect();
  for (let n = 0; n < 8; n++) {
    last().end();
    vi.advanceTimersByTime(30_000);
  }
  last().end();
  const opened = sockets.length;
  vi.advanceTimersByTime(5000);
  connection.connect();
  connection.connect();
  vi.advanceTimersByTime(4999);
  expect(sockets).toHaveLength(opened);
  vi.advanceTimersByTime(1);
  expect(sockets).toHaveLength(opened + 1);
});

test('after a sign-out nothing is tried until somebody has signed in', () => {
  const { sockets, last, connection, jobs } = setUp();
  connection.connect();
  last().open();
  last().end(closeCodes.signedOut);
  expect(jobs.lost).toEqual(['offline']);
  vi.advanceTimersByTime(600_000);
  expect(sockets).toHaveLength(1);
  // Somebody looks at the page, but has not signed in.
  connection.comeBack();
  last().end();
  vi.advanceTimersByTime(600_000);
  expect(sockets).toHaveLength(2);
  expect(jobs.lost).toEqual(['offline', 'offline']);
  connection.comeBack();
  last().open();
  expect(sockets).toHaveLength(3);
  expect(jobs.renewed).toBe(2);
  last().end();
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(4);
});

test('a socket that was cut off silently is found and replaced', () => {
  const { sockets, last, connection, jobs } = setUp();
  connection.connect();
  last().open();
  vi.advanceTimersByTime(25_000);
  expect(last().sent).toEqual([{ event: 'ping', data: {} }]);
  last().say('pong', {});
  vi.advanceTimersByTime(24_999);
  expect(jobs.lost).toEqual([]);
  vi.advanceTimersByTime(1 + 10_000);
  expect(jobs.lost).toEqual(['reconnecting']);
  expect(sockets[0]?.readyState).toBe(3);
  vi.advanceTimersByTime(1000);
  expect(sockets).toHaveLength(2);
});

test('a socket that brings news is not asked', () => {
  const { last, connection } = setUp();
  connection.connect();
  last().open();
  for (let n = 0; n < 20; n++) {
    vi.advanceTimersByTime(5000);
    last().say('readings', {});
  }
  expect(last().sent).toEqual([]);
});

test('a suspected socket has to answer, and is asked once at a time', () => {
  const { sockets, last, connection } = setUp();
  connection.connect();
  connection.probe();
  last().open();
  connection.probe();
  connection.comeBack();
  expect(last().sent).toHaveLength(1);
  last().say('job', {});
  vi.advanceTimersByTime(10_000);
  expect(sockets).toHaveLength(1);
});

test('an unused socket is closed after half a minute, unless somebody comes', () => {
  const { sockets, last, connection, jobs, uplinks } = setUp();
  connection.connect();
  last().open();
  jobs.hasSubscribers = false;
  connection.release();
  vi.advanceTimersByTime(30_000);
  last().say('pong', {});
  expect(last().readyState).toBe(1);
  uplinks.hasSubscribers = false;
  connection.release();
  vi.advanceTimersByTime(29_000);
  jobs.hasSubscribers = true;
  connection.connect();
  vi.advanceTimersByTime(5000);
  expect(last().readyState).toBe(1);
  jobs.hasSubscribers = false;
  connection.release();
  vi.advanceTimersByTime(30_000);
  expect(last().readyState).toBe(3);
  vi.advanceTimersByTime(600_000);
  expect(sockets).toHaveLength(1);
});

test('nobody is reconnected for nobody', () => {
  const { sockets, last, connection, jobs, uplinks } = setUp();
  connection.connect();
  last().open();
  jobs.hasSubscribers = uplinks.hasSubscribers = false;
  last().end();
  connection.comeBack();
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(1);
  expect(jobs.lost).toEqual([]);
});

test('frames that are not JSON are ignored', () => {
  const { last, connection, jobs } = setUp();
  connection.connect();
  last().open();
  last().onmessage?.({ data: '{"event":' });
  last().onmessage?.({ data: 'null' });
  expect(jobs.frames).toEqual([]);
});
