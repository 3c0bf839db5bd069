import { createServer, type Server, type Socket } from 'node:net';
import { Aedes, type PublishPacket } from 'aedes';
import { afterAll } from 'vitest';

export interface ForeignBroker {
  port: number;
  /** Messages published by clients other than the test itself, oldest first. */
  received: { topic: string; body: unknown }[];
  publish(topic: string, body: unknown, qos?: 0 | 1): Promise<void>;
  /** Sessions that are connected now. */
  clients(): string[];
  /** Disconnects all clients and refuses new connections; messages published meanwhile wait for kept sessions. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** The number of acknowledgements that clients have sent. */
  acknowledged: number;
}

/** A stand-in for a network's MQTT broker. */
export async function foreignBroker({ username, password }: { username?: string; password?: string } = {}): Promise<ForeignBroker> {
  const aedes = await Aedes.createBroker({
    authenticate: (_client, name, key, done) => {
      const isRight = username === undefined || (name === username && key?.toString() === password);
      done(isRight ? null : Object.assign(new Error('wrong'), { returnCode: 4 }), isRight);
    },
  });
  const sockets = new Set<Socket>();
  const received: ForeignBroker['received'] = [];
  const broker = { acknowledged: 0 };
  aedes.on('publish', (packet, client) => {
    if (client) received.push({ topic: packet.topic, body: JSON.parse(packet.payload.toString()) });
  });
  aedes.on('ack', () => {
    broker.acknowledged++;
  });
  let server: Server;
  let port = 0;
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => sockets.delete(socket));
        aedes.handle(socket);
      });
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as { port: number }).port;
        resolve();
      });
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await open();
  afterAll(async () => {
    await close();
    await new Promise<void>((resolve) => aedes.close(() => resolve()));
  });
  return Object.assign(broker, {
    port,
    received,
    publish: (topic: string, body: unknown, qos: 0 | 1 = 1) =>
      new Promise<void>((resolve, reject) => {
        const payload = Buffer.isBuffer(body) ? body : JSON.stringify(body);
        const packet: PublishPacket = { cmd: 'publish', topic, payload, qos, dup: false, retain: false };
        aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
      }),
    clients: () => Object.keys((aedes as unknown as { clients: Record<string, unknown> }).clients),
    goAway: close,
    comeBack: open,
  });
}
