import { choice, file, flag, optionalText, port, secret, text } from '@telltale/domain/forms/fields.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { z } from 'zod';
import { certificatesIn } from './certificates.ts';
import { type Connection, type Connector, defineConnector, type Statement } from './connector.ts';
import { type Host, requireHost } from './hosts.ts';
import { PostgresConnection, type Rules } from './postgres/connection.ts';
import { addressIn, cancelOn, PostgresSession, type SessionConfig } from './postgres/session.ts';
import { sessionZoneOption } from './session-zone.ts';

/** `allow` works like `prefer`: encryption is used when the server offers it. */
const sslmodes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

const optionsAt = (usualPort: number) =>
  z.strictObject({
    host: optionalText('Host', { default: '127.0.0.1' }),
    port: port('Port', usualPort),
    user: optionalText('User'),
    password: secret('Password'),
    dbname: text('Database Name'),
    sslmode: choice('SSL Mode', sslmodes, 'prefer', { extra: true }),
    sslrootcertFile: file('SSL Root Certificate'),
    sslcertFile: file('SSL Client Certificate'),
    sslkeyFile: file('SSL Client Key'),
    session_time_zone: sessionZoneOption(),
    allow_writes: flag('Allow writes', false, { extra: true, info: 'Off: every statement runs in a read-only transaction.' }),
  });
type Options = z.output<ReturnType<typeof optionsAt>>;

function configOf(given: Options, host: Host, ssl: boolean, database: string | undefined): SessionConfig {
  const verify = given.sslmode === 'verify-ca' || given.sslmode === 'verify-full';
  const { sslrootcertFile: root, sslcertFile: client, sslkeyFile: key } = given;
  const tls = {
    rejectUnauthorized: verify,
    ...certificatesIn({ root, client, key }),
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

/** `prefer` means encrypted if the server supports it, plain otherwise. */
async function openSession(given: Options, signal: AbortSignal, database?: string): Promise<PostgresSession> {
  const host = await requireHost(given.host ?? '127.0.0.1');
  if (given.sslmode === 'disable') return PostgresSession.open(configOf(given, host, false, database), signal);
  try {
    return await PostgresSession.open(configOf(given, host, true, database), signal);
  } catch (error) {
    const isRefused = /^(?:prefer|allow)$/.test(given.sslmode) && error instanceof Error && /does not support SSL/.test(error.message);
    if (!isRefused) throw error;
    return PostgresSession.open(configOf(given, host, false, database), signal);
  }
}

interface Traits extends Partial<Pick<Rules, 'copy' | 'catalog'>> {
  dialect?: Dialect;
  usualPort?: number;
}

/** The PostgreSQL family on one driver. Redshift is an old fork that reads texts differently, so values are bound with more care. */
const member = (
  type: string,
  name: string,
  { dialect = 'postgres', copy = 'binary', catalog = 'postgres', usualPort = 5432 }: Traits = {},
): Connector =>
  defineConnector({
    type,
    name,
    dialect,
    hasDatabases: true,
    sessionZone: 'option',
    options: optionsAt(usualPort),
    upstreamDefaults: { dsn: ['application_name=redash'] },
    open: async (given, _env, signal) => {
      const rules: Rules = { allowWrites: given.allow_writes, onlySelect: false, copy, catalog };
      const home = new PostgresConnection(await openSession(given, signal), rules);
      /** Opens another connection for a statement on another database of the server. */
      const elsewhere = async <T>(
        database: string | undefined,
        stop: AbortSignal,
        work: (on: PostgresConnection) => Promise<T>,
      ): Promise<T> => {
        if (!database || database === given.dbname) return work(home);
        const other = new PostgresConnection(await openSession(given, stop, database), rules);
        connection.onMark?.(other.mark);
        return work(other).finally(() => other.close());
      };
      const connection: Connection = {
        run: (statement: Statement, sink, stop) => elsewhere(statement.database, stop, (on) => on.run(statement, sink, stop)),
        schema: (stop, database) => elsewhere(database, stop, (on) => on.schema(stop)),
        test: (stop) => home.test(stop),
        excess: (stop) => home.excess(stop),
        databases: (stop) => home.databases(stop),
        close: () => home.close(),
        mark: home.mark,
        get isBroken() {
          return home.isBroken;
        },
      };
      return connection;
    },
    stop: async (given, mark) => {
      const host = (await requireHost(given.host ?? '127.0.0.1')).at(addressIn(mark));
      await cancelOn(host.socket().connect(given.port), mark);
    },
  });

export const postgres = member('pg', 'PostgreSQL');
export const redshift = member('redshift', 'Amazon Redshift', {
  dialect: 'generic',
  copy: 'none',
  catalog: 'redshift',
  usualPort: 5439,
});
export const timescale = member('timescale', 'TimescaleDB');
export const cockroach = member('cockroach', 'CockroachDB', { copy: 'text', usualPort: 26_257 });
