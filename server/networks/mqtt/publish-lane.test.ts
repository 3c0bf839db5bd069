import mqttPacket, { type Packet } from 'mqtt-packet';
import { describe, expect, test } from 'vitest';
import { random } from '../../testing/random.ts';
import { isKnownLevel, type Published, PublishLane } from './publish-lane.ts';

/** Makes packets as devices send them: mostly publishes, with headers of all sizes, mixed with every other kind. */
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

  test('incomplete and invalid PUBLISH packets go to the broker, which refuses them', () => {
    const hostile = [
      [0x32, 0], // an empty body
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

  test.each(Array.from({ length: 50 }, (_, seed) => seed + 1))(
    'version 5: reads properties as the broker would, and leaves it topic aliases (%i)',
    (seed) => {
      const next = random(seed);
      const version5 = { protocolVersion: 5 };
      const propertiesOf = (n: number) => ({
        ...(next() < 0.5 ? { userProperties: { site: `größe ${n}`, list: ['a', 'b'] } } : {}),
        ...(next() < 0.3 ? { messageExpiryInterval: n, payloadFormatIndicator: true } : {}),
        ...(next() < 0.3 ? { contentType: 'application/json', responseTopic: 'x/y', correlationData: Buffer.from([1, 2, 3]) } : {}),
        ...(next() < 0.2 ? { topicAlias: 1 + (n % 5) } : {}),
      });
      const packets = Array.from({ length: 40 }, (_, n): Packet => {
        const packet = makePacket(n, next);
        return packet.cmd === 'publish' ? { ...packet, properties: propertiesOf(n) } : packet;
      });
      const bytes = Buffer.concat(packets.map((packet) => mqttPacket.generate(packet, version5)));
      const taken = new Map<number, Published>();
      const left: Buffer[] = [];
      const lane = new PublishLane(
        (published) => {
          if (published.qos === 1) taken.set(published.messageId, { ...published, payload: Buffer.from(published.payload) });
          return true;
        },
        () => {},
        5,
      );
      for (let at = 0; at < bytes.length; at += 1500) {
        const rest = lane.sort(bytes.subarray(at, at + 1500));
        if (rest) left.push(rest);
      }
      const toBroker = new Set<number>();
      const parser = mqttPacket.parser(version5);
      parser.on('packet', (packet) => packet.cmd === 'publish' && packet.qos === 1 && toBroker.add(packet.messageId ?? 0));
      parser.on('error', (error) => expect.unreachable(String(error)));
      for (const each of left) parser.parse(each);
      for (const packet of packets) {
        if (packet.cmd !== 'publish' || packet.qos !== 1) continue;
        const found = taken.get(packet.messageId ?? 0);
        if (packet.properties?.topicAlias !== undefined) expect(found).toBeUndefined();
        expect(found === undefined).toBe(toBroker.has(packet.messageId ?? 0));
        if (!found) continue;
        expect(toldTaken(found)).toBe(told(packet));
        expect(found.userProperties).toEqual(packet.properties?.userProperties);
      }
    },
  );

  test('version 5: properties that cannot be are left to the broker', () => {
    const publish = (...properties: number[]) => Buffer.from([0x30, 4 + properties.length, 0, 1, 0x61, ...properties, 0x7b]);
    const hostile = [
      publish(1, 0x7f), // an unknown property
      publish(2, 0x26, 0), // half a pair
      publish(5, 0x26, 0, 9, 1, 2), // a text longer than the properties
      publish(100), // properties longer than the packet
      publish(3, 0x23, 0, 1), // a topic alias
    ];
    const lane = new PublishLane(
      () => expect.unreachable('taken'),
      () => {},
      5,
    );
    for (const bytes of hostile) expect(lane.sort(bytes)).toEqual(bytes);
  });

  test('the lane reads the protocol levels 3, 4 and 5 only', () => {
    expect([2, 3, 4, 5, 6].map(isKnownLevel)).toEqual([false, true, true, true, false]);
  });

  test('`heard` is called for taken messages, not for pings', () => {
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
