import { createServer } from 'node:net';
import { Aedes } from 'aedes';
import { GuardedConnection } from '../../server/networks/mqtt/framing-guard.ts';
import { Pressure } from '../../server/networks/mqtt/pressure.ts';

/** Aedes as it comes, storing nothing: what acknowledging alone costs. */
const broker = await Aedes.createBroker();
const pressure = new Pressure();
// Node 26 hands out one piece at a time, of which Aedes reads one per event; the guard hands it all of them.
const server = createServer({ noDelay: true }, (socket) => {
  const guarded = new GuardedConnection(socket, '', pressure);
  guarded.admit();
  broker.handle(guarded);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port));
