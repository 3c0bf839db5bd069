import type { SessionConfig } from './session.ts';

/** Parses an address with the driver, so that it means the same here as in our own pool. */
export async function addressOf(url: string): Promise<SessionConfig> {
  const { Client } = (await import('pg')).default;
  const { connectionParameters } = new Client(url) as unknown as { connectionParameters: SessionConfig & { sslnegotiation?: unknown } };
  const { host, port, user, password, database, ssl, sslnegotiation, options } = connectionParameters;
  return { host, port, user, password, database, ssl, ...(sslnegotiation !== undefined && { sslnegotiation }), options };
}
