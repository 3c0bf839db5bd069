import { text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineConnector } from './connector.ts';
import { historyAddress } from './iot-data/history-address.ts';
import { HistoryConnection } from './iot-data/history-connection.ts';
import { addressOf } from './postgres/address.ts';
import { PostgresConnection } from './postgres/connection.ts';
import { cancelOn, PostgresSession, toServer } from './postgres/session.ts';

/** In ClickHouse the pass is the list of channels: numbers between dots, or `*`. */
const historyScheme = /^https?:/;

/** The built-in source: our own telemetry, read by a role that can only read schema `app` (design 5), or in ClickHouse (`CLICKHOUSE_URL`). */
export const iotData = defineConnector({
  type: 'telltale',
  name: 'IoT data',
  dialect: 'postgres',
  isBuiltIn: true,
  sessionZone: 'viewer',
  options: z.strictObject({ url: text('Address of the reader'), pass: text('Pass of the reader') }),
  open: async ({ url, pass }, env, signal) => {
    if (historyScheme.test(url)) return HistoryConnection.open(historyAddress(url), channelsOf(pass), env, signal);
    const target = { ...(await addressOf(url)), application_name: 'telltale reader' };
    const session = await PostgresSession.open(target, signal, { 'telltale.pass': pass });
    return new PostgresConnection(session, { allowWrites: false, onlySelect: true, copy: 'binary', fullNames: true });
  },
  stop: async ({ url }, mark) => {
    if (!historyScheme.test(url)) await cancelOn(toServer(await addressOf(url)), mark);
  },
});

/** The reader's channels in ClickHouse as the pass states them: null is all. */
const channelsOf = (pass: string): number[] | null => {
  if (pass === '*') return null;
  const pks = pass.split('.').filter((part) => part !== '-');
  return pks.map((part) => z.coerce.number().int().parse(part));
};

/** What `channelsOf` reads; the empty list is `-`, because the option is never empty. */
export const historyPass = (channelPks: readonly number[] | null): string =>
  channelPks === null ? '*' : channelPks.length === 0 ? '-' : channelPks.toSorted((a, b) => a - b).join('.');

/** Every process says at its start where the readings are kept: the dialect of IoT data follows from it. */
export function keepIotDataIn(store: 'postgres' | 'clickhouse'): void {
  iotData.dialect = store;
}
