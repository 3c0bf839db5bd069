import type { Duplex } from 'node:stream';
import pg from 'pg';
import { connectionSettings } from '../database.ts';
import type { Logger } from '../log.ts';

export interface Listener {
  stop(): Promise<void>;
}

const usualPatience = { answerWithinMs: 5000, askEveryMs: 15_000 };

/**
 * Hears notifications on a connection of its own, which comes back by itself. What was missed meanwhile is made up
 * for by `onConnect`, which reads the tables again: a signal is a hint, never the truth. Whoever only listens does not notice a
 * database that has fallen silent, so it is asked now and then.
 */
export function listen(
  databaseUrl: string,
  channels: Record<string, (payload: string) => void>,
  onConnect: () => void,
  log: Logger,
  { answerWithinMs, askEveryMs } = usualPatience,
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
      // Nobody waits for a database that does not even say good-bye.
      const patience = setTimeout(hangUp, 1000, line);
      await line.end().catch(() => {});
      clearTimeout(patience);
    },
  };
}

/** `end` would wait for an answer. */
const hangUp = (client: pg.Client) => void (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
