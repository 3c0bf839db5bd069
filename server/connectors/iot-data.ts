import { text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineConnector } from './connector.ts';
import { PostgresConnection } from './postgres/connection.ts';
import { PostgresSession } from './postgres/session.ts';

/** The built-in source: our own telemetry, as a role that can read schema `app` and nothing else (design 5). */
export const iotData = defineConnector({
  type: 'telltale',
  name: 'IoT data',
  dialect: 'postgres',
  isBuiltIn: true,
  options: z.strictObject({ url: text('Address of the reader') }),
  open: async ({ url }, _env, signal) => {
    const { hostname, port, username, password, pathname, searchParams } = new URL(url);
    const session = await PostgresSession.open(
      {
        host: hostname,
        port: Number(port || 5432),
        user: decodeURIComponent(username),
        password: decodeURIComponent(password),
        database: decodeURIComponent(pathname.slice(1)),
        application_name: 'telltale reader',
        ssl: searchParams.get('sslmode') === 'require' ? { rejectUnauthorized: false } : false,
      },
      signal,
    );
    return new PostgresConnection(session, { allowWrites: false, onlySelect: true, copy: 'binary' });
  },
});
