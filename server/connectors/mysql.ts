import { isIP } from 'node:net';
import { choice, file, flag, number, optionalText, port, secret, text } from '@telltale/domain/forms/fields.ts';
import type { ConnectionOptions } from 'mysql2';
import { z } from 'zod';
import { certificatesIn } from './certificates.ts';
import { type Connector, defineConnector, QueryError } from './connector.ts';
import { type Host, requireHost } from './hosts.ts';
import { MysqlConnection } from './mysql/connection.ts';
import { isServerFault, MysqlSession } from './mysql/session.ts';
import { stopNoted, unknownSession } from './mysql/stop-noted.ts';
import { sessionZoneOption } from './session-zone.ts';

const sslModes = ['disabled', 'preferred', 'required', 'verify-ca', 'verify-identity'] as const;
type SslMode = (typeof sslModes)[number];

const options = z.strictObject({
  host: optionalText('Host', { default: '127.0.0.1' }),
  port: port('Port', 3306),
  user: optionalText('User'),
  passwd: secret('Password'),
  db: text('Database name'),
  connect_timeout: number('Connection Timeout', 60, { min: 1, max: 300, extra: true, info: 'Seconds.' }),
  ssl_mode: choice('SSL Mode', sslModes, 'preferred', { extra: true }),
  use_ssl: flag('Use SSL', false, { extra: true, info: 'As SSL mode "required".' }),
  ssl_cacertFile: file('SSL Root Certificate'),
  ssl_certFile: file('SSL Client Certificate'),
  ssl_keyFile: file('SSL Client Key'),
  session_time_zone: sessionZoneOption(),
  allow_writes: flag('Allow writes', false, { extra: true, info: 'Off: every statement runs in a read-only transaction.' }),
});
type Options = z.output<typeof options>;

function sslOf(given: Options, mode: SslMode): Exclude<ConnectionOptions['ssl'], string> {
  return {
    ...certificatesIn({ root: given.ssl_cacertFile, client: given.ssl_certFile, key: given.ssl_keyFile }),
    rejectUnauthorized: mode.startsWith('verify-'),
    verifyIdentity: mode === 'verify-identity',
  };
}

/** `preferred` means encrypted if the server supports it, plain otherwise. */
async function openSession(
  given: Options,
  signal: AbortSignal,
  { certificates, address }: { certificates?: 'Amazon RDS' | undefined; address?: string | undefined },
): Promise<MysqlSession> {
  const host: Host = (await requireHost(given.host ?? '127.0.0.1')).at(address);
  const mode = given.use_ssl && given.ssl_mode === 'preferred' ? 'required' : given.ssl_mode;
  // The driver checks the certificate of a bare address against `localhost`.
  if (mode === 'verify-identity' && isIP(host.name))
    throw new QueryError('SSL mode verify-identity needs the name of a host, not its address.');
  const open = (ssl: ConnectionOptions['ssl']) =>
    MysqlSession.open(
      {
        host,
        port: given.port,
        user: given.user,
        password: given.passwd,
        database: given.db,
        connectTimeout: given.connect_timeout * 1000,
        ssl,
      },
      signal,
    );
  if (mode === 'disabled') return open(undefined);
  try {
    return await open(certificates && mode !== 'preferred' && !given.ssl_cacertFile ? certificates : sslOf(given, mode));
  } catch (error) {
    const isRefused = mode === 'preferred' && error instanceof Error && 'code' in error && error.code === 'HANDSHAKE_NO_SSL_SUPPORT';
    if (!isRefused) throw error;
    return open(undefined);
  }
}

const member = (type: string, name: string, certificates?: 'Amazon RDS'): Connector =>
  defineConnector({
    type,
    name,
    dialect: 'mysql',
    hasDatabases: true,
    sessionZone: 'option',
    options,
    // What is written is decided by `allow_writes`, so nothing commits by itself.
    upstreamDefaults: { charset: ['utf8mb4', 'utf8'], use_unicode: [true], autocommit: [false] },
    open: async (given, _env, signal) =>
      new MysqlConnection(await openSession(given, signal, { certificates }), { allowWrites: given.allow_writes, database: given.db }),
    stop: async (given, mark, signal) => {
      const [id, address] = mark.split('@');
      const session = await openSession(given, signal, { certificates, address });
      try {
        await session.query(`kill connection ${Number(id)}`);
      } catch (error) {
        // The session has already ended.
        if (!isServerFault(error) || error.errno !== unknownSession) throw error;
      } finally {
        session.destroy();
      }
    },
    stopNoted: async (given, note, signal) => {
      const session = await openSession(given, signal, { certificates });
      try {
        await stopNoted(session, note);
      } finally {
        session.destroy();
      }
    },
  });

export const mysql = member('mysql', 'MySQL');
/** Uses Amazon's own certificates, which operating systems do not include. */
export const rdsMysql = member('rds_mysql', 'MySQL (Amazon RDS)', 'Amazon RDS');
