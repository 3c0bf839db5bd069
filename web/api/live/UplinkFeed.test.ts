import { expect, test, vi } from 'vitest';
import { LiveConnection } from './LiveConnection.ts';
import { fakeSockets, fakeTimersInEachTest } from './testing/fakeSockets.ts';
import { UplinkFeed } from './UplinkFeed.ts';

fakeTimersInEachTest();

function setUp() {
  const { sockets, open, last } = fakeSockets();
  return { sockets, last, feed: new UplinkFeed(new LiveConnection(open)) };
}

const listener = () => ({
  onState: vi.fn(),
  onUplinks: vi.fn(),
  onGap: vi.fn(),
  onOnline: vi.fn(),
  onCommand: vi.fn(),
  onMissing: vi.fn(),
  onRefused: vi.fn(),
});
const record = (device_id: string, uplink_id: string) => ({ [device_id]: { uplink_id, device_id, channel_id: 'dock' } });
const statesOf = ({ onState }: ReturnType<typeof listener>) => onState.mock.calls.map(([state]) => state);
const dock = (devices: string[], tail = 20) => ({ channel: 'dock', devices, tail });

test('iot-behaviour 1.11: a tail is requested first; after a loss only what was missed', () => {
  const { last, feed } = setUp();
  const one = listener();
  feed.subscribe(dock(['a', 'b'], 500), one);
  last().open();
  expect(last().sent).toEqual([{ event: 'start', data: { channel: 'dock', device: ['a', 'b'], tail: 100 } }]);
  last().say('started', { channel: 'dock', device: ['a', 'b'], tail: 1 });
  last().say('uplink', record('a', '01B'), 'dock');
  last().say('uplink', record('a', '01A'), 'dock');
  last().end();
  vi.advanceTimersByTime(1000);
  last().open();
  expect(last().sent).toEqual([
    { event: 'start', data: { channel: 'dock', device: ['b'], tail: 100 } },
    { event: 'start', data: { channel: 'dock', device: 'a', after: '01B' } },
  ]);
  last().say('started', { channel: 'dock', device: ['b'], tail: 0 });
  expect(statesOf(one)).toEqual(['connecting', 'live', 'reconnecting']);
  last().say('started', { channel: 'dock', device: ['a'], tail: 0 });
  expect(statesOf(one).at(-1)).toBe('live');
  expect(one.onUplinks).toHaveBeenCalledTimes(2);
});

test('subscriptions share devices: each is requested once on the way back and stopped with its last subscription', () => {
  const { last, feed } = setUp();
  const [one, other] = [listener(), listener()];
  const end = feed.subscribe(dock(['a', 'b'], 5), one);
  last().open();
  last().say('uplink', record('a', '01A'), 'dock');
  feed.subscribe(dock(['b', 'a'], 50), other);
  last().say('uplink', record('a', '01C'), 'dock');
  expect(one.onUplinks).toHaveBeenCalledTimes(2);
  last().end();
  vi.advanceTimersByTime(1000);
  last().open();
  expect(last().sent).toEqual([
    { event: 'start', data: { channel: 'dock', device: ['b'], tail: 50 } },
    { event: 'start', data: { channel: 'dock', device: 'a', after: '01C' } },
  ]);
  feed.subscribe(dock(['c']), listener());
  end();
  expect(last().sent.filter(({ event }) => event === 'stop')).toEqual([]);
});

test('a device that nobody watches any more is stopped, the others are not', () => {
  const { last, feed } = setUp();
  const end = feed.subscribe(dock(['a', 'b']), listener());
  feed.subscribe(dock(['b']), listener());
  last().open();
  end();
  end();
  expect(last().sent.filter(({ event }) => event === 'stop')).toEqual([{ event: 'stop', data: { channel: 'dock', device: ['a'] } }]);
});

test('frames reach the subscriptions of their channel and device', () => {
  const { last, feed } = setUp();
  const [here, there] = [listener(), listener()];
  feed.subscribe(dock(['a']), here);
  feed.subscribe({ channel: 'roof', devices: ['a'], tail: 1 }, there);
  last().open();
  last().say('gap', { a: 7 }, 'dock');
  last().say('state', { a: { online: true } }, 'dock');
  last().say('command', { a: {} }, 'dock');
  expect(here.onGap).toHaveBeenCalledWith('a', 7);
  expect(here.onOnline).toHaveBeenCalledWith('a', true);
  expect(here.onCommand).toHaveBeenCalledWith('a');
  for (const call of [there.onGap, there.onOnline, there.onCommand]) expect(call).not.toHaveBeenCalled();
});

test('a missing device is reported and the others go on; a refused subscription ends', () => {
  const { last, feed } = setUp();
  const [one, other] = [listener(), listener()];
  feed.subscribe(dock(['a', 'gone']), one);
  feed.subscribe(dock(['gone']), other);
  last().open();
  last().say('error', { code: 'not_found', message: 'Device not found.', event: 'start', asked: { channel: 'dock', device: ['gone'] } });
  expect(one.onMissing).toHaveBeenCalledWith(['gone']);
  expect(one.onRefused).not.toHaveBeenCalled();
  expect(other.onRefused).toHaveBeenCalledWith('Device not found.');
  last().say('error', { code: 'not_found', message: 'Job not found.', event: 'watch', asked: { job: 'x' } });
  expect(one.onRefused).not.toHaveBeenCalled();
  last().say('error', { code: 'forbidden', message: 'You may not see devices any more.', event: 'start' });
  expect(one.onRefused).toHaveBeenCalledWith('You may not see devices any more.');
  expect(feed.hasSubscribers).toBe(false);
});

test('iot-behaviour 1.11: one connection takes 50 devices', () => {
  const { feed } = setUp();
  const ids = Array.from({ length: 49 }, (_, n) => `node-${n}`);
  feed.subscribe(dock(ids), listener());
  expect(feed.hasRoomFor(dock(['node-0', 'more']))).toBe(true);
  expect(feed.hasRoomFor(dock(['more', 'most']))).toBe(false);
  expect(feed.hasRoomFor({ channel: 'roof', devices: ['node-0', 'node-1'], tail: 0 })).toBe(false);
});
