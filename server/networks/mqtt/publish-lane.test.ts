import mqttPacket, { type Packet } from 'mqtt-packet';
import { describe, expect, test } from 'vitest';
import { random } from '../../testing/random.ts';
import { type Published, PublishLane } from './publish-lane.ts';

/** What devices send: mostly publishes, of all sizes of header, among everything else. */
function makePacket(n: number, next: () => number): Packet {
  const kind = next();
  if (kind < 0.1) return { cmd: 'pingreq' };
  if (kind < 0.15) return { cmd: 'subscribe', messageId: n + 1, subscriptions: [{ topic: 'v1/me/down', qos: 1 }] };
  if (kind < 0.2) return { cmd: 'puback', messageId: n + 1 };
  const qos = Math.floor(next() * 3) as 0 | 1 | 2;
  const size = next() < 0.1 ? Math.floor(next() * 40_000) : Math.floor(next() * 200);
  const topic = next() < 0.1 ? 'v1/größe/devices/ü/up' : `v1/me/up/${n}`;
  return { cmd: 'publish', topic, payload: Buffer.alloc(size, n), qos, dup: next() < 0.2, retain: false, messageId: n + 1 };
}

function parsed(bytes: Buffer[]): Packet[] {
  const packets: Packet[] = [];
  const parser = mqttPacket.parser({ protocolVersion: 4 });
  parser.on('packet', (packet) => packets.push(packet));
  parser.on('error', (error) => expect.unreachable(String(error)));
  for (const each of bytes) parser.parse(each);
  return packets;
}

const told = (packet: Packet) =>
  packet.cmd === 'publish'
    ? `${packet.topic} ${packet.qos} ${packet.dup} ${packet.qos > 0 ? packet.messageId : 0} ${(packet.payload as Buffer).toString('hex')}`
    : `${packet.cmd} ${packet.messageId ?? ''}`;
const toldTaken = ({ topic, payload, qos, isRepeat, messageId }: Published) =>
  `${Buffer.from(topic, 'latin1').toString()} ${qos} ${isRepeat} ${messageId} ${payload.toString('hex')}`;

describe('the lane past the broker', () => {
  test.each(Array.from({ length: 200 }, (_, seed) => seed + 1))(
    'takes publishes as the broker would read them and leaves it the rest, however the bytes are cut (%i)',
    (seed) => {
      const next = random(seed);
      const packets = Array.from({ length: 60 }, (_, n) => makePacket(n, next));
      const bytes = Buffer.concat(packets.map((packet) => mqttPacket.generate(packet)));
      const taken: string[] = [];
      const left: Buffer[] = [];
      const refuses = next() < 0.3;
      const lane = new PublishLane(
        (published) => {
          if (refuses && published.messageId % 3 === 0) return false;
          taken.push(toldTaken(published));
          return true;
        },
        () => {},
      );
      const largest = [3, 50, 1500, 65_536][Math.floor(next() * 4)] ?? 1;
      for (let at = 0; at < bytes.length; ) {
        const end = at + 1 + Math.floor(next() * largest);
        const rest = lane.sort(bytes.subarray(at, end));
        if (rest) left.push(rest);
        at = end;
      }
      const toBroker = parsed(left).map(told);
      const all = packets.map(told);
      // Each packet went one of the two ways, and each way kept the order.
      expect([...taken, ...toBroker].sort()).toEqual([...all].sort());
      const inOrder = (some: string[]) => some.map((each) => all.indexOf(each)).every((place, n, places) => place >= (places[n - 1] ?? -1));
      expect(inOrder(taken.filter((each) => all.indexOf(each) === all.lastIndexOf(each)))).toBe(true);
      expect(inOrder(toBroker.filter((each) => all.indexOf(each) === all.lastIndexOf(each)))).toBe(true);
      for (const packet of packets) if (packet.cmd === 'publish' && packet.qos === 2) expect(taken).not.toContain(told(packet));
    },
  );

  test('what is no whole PUBLISH is left to the broker, which knows how to refuse it', () => {
    const hostile = [
      [0x32, 0], // nothing in it
      [0x32, 1, 0],
      [0x32, 2, 0, 5], // a topic longer than the packet
      [0x32, 5, 0, 2, 0x61, 0x62, 0], // half a message id
      [0x32, 6, 0, 2, 0x61, 0x62, 0, 0], // message id 0
      [0x36, 6, 0, 2, 0x61, 0x62, 0, 1], // QoS 3
    ].map((each) => Buffer.from(each));
    const lane = new PublishLane(
      () => expect.unreachable('taken'),
      () => {},
    );
    for (const bytes of hostile) expect(lane.sort(bytes)).toEqual(bytes);
  });

  test('one that is told about what was taken is not told about pings', () => {
    let heard = 0;
    const lane = new PublishLane(
      () => true,
      () => {
        heard++;
      },
    );
    lane.sort(Buffer.from([0xc0, 0]));
    expect(heard).toBe(0);
    const publish = mqttPacket.generate({ cmd: 'publish', topic: 'a', payload: 'b', qos: 0, dup: false, retain: false });
    expect(lane.sort(Buffer.concat([publish, publish, publish]))).toBeUndefined();
    expect(heard).toBe(1);
  });
});
