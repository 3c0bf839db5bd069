import pg from 'pg';
import type { SessionConfig } from './session.ts';

/** What an address says, read by the driver itself, so that it means the same here as where our own pool uses it. */
export function addressOf(url: string): SessionConfig {
  const { connectionParameters } = new pg.Client(url) as unknown as { connectionParameters: SessionConfig & { sslnegotiation?: unknown } };
  const { host, port, user, password, database, ssl, sslnegotiation, options } = connectionParameters;
  return { host, port, user, password, database, ssl, ...(sslnegotiation !== undefined && { sslnegotiation }), options };
}
