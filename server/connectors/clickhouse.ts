import { flag, number, optionalText, secret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { ClickhouseConnection } from './clickhouse/connection.ts';
import { ClickhouseServer } from './clickhouse/server.ts';
import { defineConnector } from './connector.ts';
import { sessionZoneOption } from './session-zone.ts';

export const clickhouse = defineConnector({
  type: 'clickhouse',
  name: 'ClickHouse',
  dialect: 'clickhouse',
  hasDatabases: true,
  sessionZone: 'option',
  options: z.strictObject({
    url: optionalText('URL', { default: 'http://127.0.0.1:8123' }),
    user: optionalText('User', { default: 'default' }),
    password: secret('Password'),
    dbname: text('Database Name'),
    timeout: number('Request Timeout', 0, {
      min: 0,
      max: 86_400,
      extra: true,
      info: 'Seconds until the server begins to answer; 0 for no limit.',
    }),
    verify: flag('Verify SSL certificate', true, { extra: true }),
    session_time_zone: sessionZoneOption(),
    allow_writes: flag('Allow writes', false, { extra: true, info: 'Off: every statement runs with readonly = 1.' }),
  }),
  open: async ({ url = '', user = '', dbname, allow_writes, ...given }, { http }, signal) =>
    ClickhouseConnection.open(
      new ClickhouseServer(http, { url, user, dbname, ...given }),
      { allowWrites: allow_writes, database: dbname },
      signal,
    ),
});
