import { text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineConnector } from './connector.ts';
import { addressOf } from './postgres/address.ts';
import { PostgresConnection } from './postgres/connection.ts';
import { cancelOn, PostgresSession, toServer } from './postgres/session.ts';

/** The built-in source: our own telemetry, as a role that can read schema `app` and nothing else (design 5). */
export const iotData = defineConnector({
  type: 'telltale',
  name: 'IoT data',
  dialect: 'postgres',
  isBuiltIn: true,
  options: z.strictObject({ url: text('Address of the reader') }),
  open: async ({ url }, _env, signal) => {
    const session = await PostgresSession.open({ ...(await addressOf(url)), application_name: 'telltale reader' }, signal);
    return new PostgresConnection(session, { allowWrites: false, onlySelect: true, copy: 'binary' });
  },
  stop: async ({ url }, mark) => cancelOn(toServer(await addressOf(url)), mark),
});
