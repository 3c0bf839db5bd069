import { choice, file, flag, optionalText, port, secret, text } from '@telltale/domain/forms/fields.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { z } from 'zod';
import { type Connector, defineConnector, type Statement } from './connector.ts';
import { type Host, requireHost } from './hosts.ts';
import { PostgresConnection, type Rules } from './postgres/connection.ts';
import { addressIn, cancelOn, PostgresSession, type SessionConfig } from './postgres/session.ts';

const sslmodes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

const options = z.strictObject({
  host: optionalText('Host', { default: '127.0.0.1' }),
  port: port('Port', 5432),
  user: optionalText('User'),
  password: secret('Password'),
  dbname: text('Database Name'),
  sslmode: choice('SSL Mode', sslmodes, 'prefer', { extra: true }),
  sslrootcertFile: file('SSL Root Certificate'),
  sslcertFile: file('SSL Client Certificate'),
  sslkeyFile: file('SSL Client Key'),
  allow_writes: flag('Allow writes', false, { extra: true, info: 'Off: every statement runs in a read-only transaction.' }),
});
type Options = z.output<typeof options>;

const decoded = (base64: string | undefined) => (base64 ? Buffer.from(base64, 'base64').toString('utf8') : undefined);

function configOf(given: Options, host: Host, ssl: boolean, database: string | undefined): SessionConfig {
  const verify = given.sslmode === 'verify-ca' || given.sslmode === 'verify-full';
  const certificates = { ca: decoded(given.sslrootcertFile), cert: decoded(given.sslcertFile), key: decoded(given.sslkeyFile) };
  const tls = {
    rejectUnauthorized: verify,
    ...certificates,
    ...(given.sslmode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
  return {
    host: host.name,
    port: given.port,
    stream: host.socket,
    user: given.user,
    password: given.password ?? '',
    database: database ?? given.dbname,
    application_name: 'telltale',
    ssl: ssl ? tls : false,
  };
}

/** `prefer`: encrypted where the server can, plain otherwise. */
async function openSession(given: Options, signal: AbortSignal, database?: string): Promise<PostgresSession> {
  const host = await requireHost(given.host ?? '127.0.0.1');
  if (given.sslmode === 'disable') return PostgresSession.open(configOf(given, host, false, database), signal);
  try {
    return await PostgresSession.open(configOf(given, host, true, database), signal);
  } catch (error) {
    const isRefused = given.sslmode === 'prefer' && error instanceof Error && /does not support SSL/.test(error.message);
    if (!isRefused) throw error;
    return PostgresSession.open(configOf(given, host, false, database), signal);
  }
}

/** The family on one driver. Redshift forked off long ago and reads texts its own way, so values are bound with more care there. */
const member = (
  type: string,
  name: string,
  { dialect = 'postgres', copy = 'binary' }: { dialect?: Dialect; copy?: Rules['copy'] } = {},
): Connector =>
  defineConnector({
    type,
    name,
    dialect,
    hasDatabases: true,
    options,
    open: async (given, _env, signal) => {
      const rules: Rules = { allowWrites: given.allow_writes, onlySelect: false, copy };
      const home = new PostgresConnection(await openSession(given, signal), rules);
      /** A statement for another database of the server gets a connection of its own. */
      const elsewhere = async <T>(
        database: string | undefined,
        stop: AbortSignal,
        work: (connection: PostgresConnection) => Promise<T>,
      ): Promise<T> => {
        if (!database || database === given.dbname) return work(home);
        const other = new PostgresConnection(await openSession(given, stop, database), rules);
        return work(other).finally(() => other.close());
      };
      return {
        run: (statement: Statement, sink, stop) =>
          elsewhere(statement.database, stop, (connection) => connection.run(statement, sink, stop)),
        schema: (stop, database) => elsewhere(database, stop, (connection) => connection.schema(stop)),
        test: (stop) => home.test(stop),
        excess: (stop) => home.excess(stop),
        databases: (stop) => home.databases(stop),
        close: () => home.close(),
        mark: home.mark,
        get isBroken() {
          return home.isBroken;
        },
      };
    },
    stop: async (given, mark) => {
      const host = (await requireHost(given.host ?? '127.0.0.1')).at(addressIn(mark));
      await cancelOn(host.socket().connect(given.port), mark);
    },
  });

export const postgres = member('pg', 'PostgreSQL');
export const redshift = member('redshift', 'Amazon Redshift', { dialect: 'generic', copy: 'none' });
export const timescale = member('timescale', 'TimescaleDB');
export const cockroach = member('cockroach', 'CockroachDB', { copy: 'text' });
