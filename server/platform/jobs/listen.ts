import pg from 'pg';
import { connectionSettings } from '../database.ts';
import type { Logger } from '../log.ts';

export interface Listener {
  stop(): Promise<void>;
}

/**
 * Hears notifications on a connection of its own, which comes back by itself. What was missed meanwhile is made up
 * for by `onConnect`, which reads the tables again: a signal is a hint, never the truth.
 */
export function listen(
  databaseUrl: string,
  channels: Record<string, (payload: string) => void>,
  onConnect: () => void,
  log: Logger,
): Listener {
  let client: pg.Client | undefined;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new pg.Client({ ...connectionSettings(databaseUrl, 'listener'), keepAlive: true });
    let isGone = false;
    const lost = () => {
      if (isGone) return;
      isGone = true;
      if (client === next) client = undefined;
      next.removeAllListeners();
      next.on('error', () => {});
      next.end().catch(() => {});
      if (!isStopped) timer = setTimeout(connect, 500);
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''));
    try {
      await next.connect();
      if (isStopped) return lost();
      client = next;
      for (const channel of Object.keys(channels)) await next.query(`listen ${channel}`);
      onConnect();
    } catch (error) {
      log.debug({ err: error }, 'the listener could not connect');
      lost();
    }
  };
  void connect();

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      client?.removeAllListeners('end');
      await client?.end().catch(() => {});
    },
  };
}
