import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { silentAfterMs } from '../platform/process-registry.ts';

export interface BrokerAddresses {
  address: string | null;
  tls_address: string | null;
  private_port: number;
}

/** Registers a broker; its row is deleted with the row of its process. */
export const announceBroker = (db: Db, processId: string, { address, tls_address, private_port }: BrokerAddresses) =>
  sql`
    insert into brokers (process_id, hostname, address, tls_address, private_port)
    values (${processId}, ${hostname()}, ${address}, ${tls_address}, ${private_port})
    on conflict (process_id) do update set address = excluded.address, tls_address = excluded.tls_address,
      private_port = excluded.private_port`.execute(db);

/** A process without a connection to the external broker does not count as a broker. */
export const withdrawBroker = (db: Db, processId: string) => sql`delete from brokers where process_id = ${processId}`.execute(db);

/** The port of a live broker on this machine, to which web sockets are forwarded. */
export async function findBrokerPort(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ private_port: number }>`
    select private_port from brokers join processes on processes.id = process_id
    where brokers.hostname = ${hostname()} and private_port > 0 and heartbeat_at > now() - make_interval(secs => ${silentAfterMs / 1000})
    order by random() limit 1`.execute(db);
  return rows[0]?.private_port;
}

export interface BrokerFigures {
  connections: number;
  /** Publishes to forbidden topics since the start. */
  denied: number;
  heldBytes: number;
}

export const reportBroker = (db: Db, processId: string, { connections, denied, heldBytes }: BrokerFigures) =>
  sql`
    update brokers set connections = ${connections}, denied = ${denied}, held_bytes = ${heldBytes}
    where process_id = ${processId}`.execute(db);

/** The figures of all live brokers together. */
export async function brokerFigures(db: Db): Promise<BrokerFigures> {
  const { rows } = await sql<BrokerFigures>`
    select coalesce(sum(connections), 0)::int as connections, coalesce(sum(denied), 0)::float8 as denied,
      coalesce(sum(held_bytes), 0)::float8 as "heldBytes"
    from brokers join processes on processes.id = process_id
    where heartbeat_at > now() - make_interval(secs => ${silentAfterMs / 1000})`.execute(db);
  return rows[0] ?? { connections: 0, denied: 0, heldBytes: 0 };
}

export async function countBrokers(db: Db): Promise<number> {
  const { rows } = await sql<{ running: number }>`
    select count(*)::int as running from brokers join processes on processes.id = process_id
    where heartbeat_at > now() - make_interval(secs => ${silentAfterMs / 1000})`.execute(db);
  return rows[0]?.running ?? 0;
}

/** Whether any broker is alive. */
export async function isBrokerAlive(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from brokers join processes on processes.id = process_id
    where heartbeat_at > now() - make_interval(secs => ${silentAfterMs / 1000}) limit 1`.execute(db);
  return rows.length > 0;
}
