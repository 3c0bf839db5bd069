import { connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  port: number;
  /** Connections that each target was given. */
  given: number[];
  stop(): Promise<void>;
}

interface Target {
  port: number;
  isUp: boolean;
  /** Checks in a row that spoke against `isUp`. */
  against: number;
  sockets: Set<Socket>;
}

const checkEveryMs = 300;
/** As in deploy/haproxy.cfg: one slow answer of a busy machine takes nobody down. */
const checksToChange = 2;

/**
 * A balancer as operators put it before several copies: connections go to the targets in turn, a target that refuses is passed over, and one
 * whose check fails loses its connections and gets no new ones. The last one that is up is never taken down by a check.
 */
export async function balancer(ports: readonly number[], check?: (port: number) => Promise<boolean>): Promise<Balancer> {
  const targets: Target[] = ports.map((port) => ({ port, isUp: true, against: 0, sockets: new Set() }));
  const given = ports.map(() => 0);
  let turn = 0;

  const inOrder = () => {
    turn++;
    const turned = targets.map((_, n) => targets[(n + turn) % targets.length] as Target);
    return [...turned.filter(({ isUp }) => isUp), ...turned.filter(({ isUp }) => !isUp)];
  };
  const join = (near: Socket, far: Socket, target: Target) => {
    given[targets.indexOf(target)] = (given[targets.indexOf(target)] ?? 0) + 1;
    target.sockets.add(far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => {
        target.sockets.delete(far);
        other.destroy();
      });
      one.pipe(other);
    }
  };
  const forward = (near: Socket, [target, ...others]: Target[]): void => {
    if (!target || near.destroyed) return void near.destroy();
    const far = connect({ port: target.port, host: '127.0.0.1', noDelay: true });
    const passOver = () => forward(near, others);
    far.once('error', passOver);
    far.once('connect', () => {
      far.off('error', passOver);
      if (near.destroyed) far.destroy();
      else join(near, far, target);
    });
  };
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    near.on('error', () => {});
    forward(near, inOrder());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const looking = targets.map((target) => {
    let isLooking = false;
    return setInterval(async () => {
      if (!check || isLooking) return;
      isLooking = true;
      const isWell = await check(target.port).catch(() => false);
      isLooking = false;
      target.against = isWell === target.isUp ? 0 : target.against + 1;
      if (target.against < checksToChange) return;
      if (!isWell && !targets.some((other) => other !== target && other.isUp)) return;
      target.isUp = isWell;
      if (!isWell) for (const socket of target.sockets) socket.destroy();
    }, checkEveryMs);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    given,
    async stop() {
      for (const timer of looking) clearInterval(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { sockets } of targets) for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
