import { type AddressInfo, createServer } from 'node:net';
import { Aedes, type AedesOptions, type Client, type PublishPacket } from 'aedes';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, describe, expect, test } from 'vitest';
import {
  beforeHandling,
  deliverTo,
  grantedTo,
  keepaliveTimerOf,
  markAnswered,
  OpenAedes,
  type PublishDone,
  setClientId,
  takeMessageId,
  wantsProblemInformation,
} from './aedes-internals.ts';

/** Aedes as it is, with a record of what it calls. */
class Recorded extends OpenAedes {
  readonly ended: string[] = [];
  readonly sent: PublishPacket[] = [];

  protected override sessionEnds(client: Client): void {
    this.ended.push(client.id);
  }

  protected override publishes(packet: PublishPacket, client: Client | null, done: PublishDone): void {
    if (!packet.topic.startsWith('$SYS')) this.sent.push(packet);
    this.passOn(packet, client, done);
  }
}

const options: AedesOptions = {
  preConnect(client, _packet, done) {
    beforeHandling(client, ({ subscriptions = [] }) => {
      for (const each of subscriptions) each.qos = Math.min(each.qos, 1);
    });
    done(null, true);
  },
  authenticate(client, username, _password, done) {
    setClientId(client, `${username}/${client.id}`);
    done(null, true);
  },
  authorizePublish(_client, packet, done) {
    if (packet.topic === 'answered') markAnswered(packet);
    done(null);
  },
};
const broker = new Recorded(options);
await broker.listen();
const server = createServer((socket) => void broker.handle(socket));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const opened: MqttClient[] = [];
afterAll(async () => {
  for (const client of opened) client.end(true);
  await new Promise<void>((resolve) => broker.close(resolve));
  await new Promise((resolve) => server.close(resolve));
});

/** Both ends of a connection. */
async function connected(clientId: string, more: IClientOptions = {}): Promise<{ near: MqttClient; far: Client }> {
  const settings = { clientId, username: 'scope', protocolVersion: 5, reconnectPeriod: 0, ...more } as const;
  const ready = new Promise<Client>((resolve) => broker.once('clientReady', resolve));
  const near = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, settings);
  opened.push(near);
  return { near, far: await ready };
}

const missing = (member: string) =>
  `This version of Aedes has no ${member} any more: server/networks/mqtt/aedes-internals.ts needs another way.`;

describe('members of Aedes that its types leave out', () => {
  test('a client has the members that aedes-internals.ts names', async () => {
    const { far } = await connected('members');
    const client = far as unknown as Record<string, unknown>;
    for (const member of ['_parser', '_keepaliveTimer', 'subscriptions'])
      expect(client[member], missing(`client.${member}`)).toBeTypeOf('object');
    expect(client._nextId, missing('client._nextId')).toBeTypeOf('number');
    expect(client._requestProblemInformation, missing('client._requestProblemInformation')).toBeTypeOf('boolean');
    for (const method of ['deliver0', 'deliverQoS']) expect(client[method], missing(`client.${method}()`)).toBeTypeOf('function');
  });

  test('the broker has the members that aedes-internals.ts names', () => {
    const { _takingOver } = broker as unknown as Record<string, unknown>;
    expect(_takingOver, missing('broker._takingOver')).toBeInstanceOf(Set);
    for (const method of ['publish', 'publishWill', 'scheduleSessionExpiry'])
      expect((Aedes.prototype as unknown as Record<string, unknown>)[method], missing(`Aedes.prototype.${method}()`)).toBeTypeOf(
        'function',
      );
  });

  test('beforeHandling() changes a packet before Aedes reads it: the granted QoS is the limited one', async () => {
    const { near, far } = await connected('subscriber');
    const [granted] = await near.subscribeAsync('down/#', { qos: 2, properties: { subscriptionIdentifier: 7 } });
    expect(granted?.qos).toBe(1);
    expect(grantedTo(far)).toMatchObject({ 'down/#': { qos: 1, si: 7 } });
  });

  test('keepaliveTimerOf() is the timer that ends a silent connection', async () => {
    const { far } = await connected('silent', { keepalive: 60 });
    expect(keepaliveTimerOf(far)?.hasRef).toBeTypeOf('function');
  });

  test('wantsProblemInformation() is what the client asked for', async () => {
    const asks = async (clientId: string, requestProblemInformation: boolean) =>
      wantsProblemInformation((await connected(clientId, { properties: { requestProblemInformation } })).far);
    expect([await asks('with-reasons', true), await asks('without-reasons', false)]).toEqual([true, false]);
  });

  test('deliverTo() reaches a client without a subscription under the id of takeMessageId(), and its acknowledgement is reported', async () => {
    const { near, far } = await connected('receiver');
    const received = new Promise((resolve) =>
      near.once('message', (topic, payload, packet) => resolve([topic, `${payload}`, packet.messageId])),
    );
    const acknowledged = new Promise((resolve) => broker.once('ack', (_packet, client) => resolve(client.id)));
    const messageId = takeMessageId(far);
    const packet = { cmd: 'publish', topic: 'down', payload: Buffer.from('on'), qos: 1, retain: false, dup: false, messageId } as const;
    deliverTo(far, packet, () => {});
    expect(await received).toEqual(['down', 'on', messageId]);
    expect(await acknowledged).toBe(far.id);
    expect(takeMessageId(far)).toBe(messageId === 65_535 ? 1 : messageId + 1);
  });

  test('markAnswered() keeps Aedes from answering', async () => {
    const { near } = await connected('publisher');
    let isAnswered = false;
    near.publish('answered', 'x', { qos: 1 }, () => {
      isAnswered = true;
    });
    await near.publishAsync('other', 'y', { qos: 1 });
    expect(isAnswered).toBe(false);
  });

  test('a will is marked, and the end of a session is reported under the id of setClientId()', async () => {
    const { near, far } = await connected('leaving', { will: { topic: 'last-will', payload: Buffer.from('gone'), qos: 0, retain: false } });
    expect(far.id).toBe('scope/leaving');
    near.stream.destroy();
    await expect.poll(() => broker.sent.find(({ topic }) => topic === 'last-will')).toMatchObject({ isWill: true });
    await expect.poll(() => broker.ended).toContain('scope/leaving');
  });
});
