import pg from 'pg';
import { connectionSettings } from '../database.ts';
import type { Logger } from '../log.ts';
import { hangUp } from '../pg-internals.ts';

export interface Listener {
  stop(): Promise<void>;
}

const usualTiming = { answerWithinMs: 5000, askEveryMs: 15_000 };

/**
 * Listens for notifications on a connection of its own, which reconnects by itself. `onConnect` reads the tables again and so makes up for
 * missed notifications: a signal is a hint, never the truth. Listening alone does not reveal a silent database, so the connection is
 * queried now and then.
 */
export function listen(
  databaseUrl: string,
  channels: Record<string, (payload: string) => void>,
  onConnect: () => void,
  log: Logger,
  { answerWithinMs, askEveryMs } = usualTiming,
): Listener {
  let line: pg.Client | undefined;
  let isStopped = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let askTimer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const client = new pg.Client({
      ...connectionSettings(databaseUrl, 'listener'),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
    });
    line = client;
    let isGone = false;
    const lost = () => {
      if (isGone) return;
      isGone = true;
      line = undefined;
      clearInterval(askTimer);
      client.removeAllListeners();
      client.on('error', () => {});
      hangUp(client);
      if (!isStopped) retryTimer = setTimeout(connect, 500);
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''));
    try {
      await client.connect();
      for (const channel of Object.keys(channels)) await client.query(`listen ${channel}`);
      if (isGone || isStopped) return;
      onConnect();
      askTimer = setInterval(() => client.query('select 1').catch(lost), askEveryMs);
    } catch (error) {
      log.debug({ err: error }, 'the listener could not connect');
      lost();
    }
  };
  void connect();

  return {
    async stop() {
      isStopped = true;
      clearTimeout(retryTimer);
      clearInterval(askTimer);
      if (!line) return;
      // A database that does not close the connection in time is not waited for.
      const timer = setTimeout(hangUp, 1000, line);
      await line.end().catch(() => {});
      clearTimeout(timer);
    },
  };
}
