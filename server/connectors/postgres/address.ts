import type { SessionConfig } from './session.ts';

/** What an address says, read by the driver itself, so that it means the same here as where our own pool uses it. */
export async function addressOf(url: string): Promise<SessionConfig> {
  const { Client } = (await import('pg')).default;
  const { connectionParameters } = new Client(url) as unknown as { connectionParameters: SessionConfig & { sslnegotiation?: unknown } };
  const { host, port, user, password, database, ssl, sslnegotiation, options } = connectionParameters;
  return { host, port, user, password, database, ssl, ...(sslnegotiation !== undefined && { sslnegotiation }), options };
}
