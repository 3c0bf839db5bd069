import { expect, test } from 'vitest';
import { readOnlyMessage } from '../connector.ts';
import { ClickhouseConnection } from './connection.ts';
import type { ClickhouseServer } from './server.ts';

const sent: string[] = [];
const server = {
  stoppable: (signal: AbortSignal, work: (id: string, inner: AbortSignal) => Promise<boolean>) => work('id', signal),
  send: async (query: string) => {
    sent.push(query);
    throw new Error('sent');
  },
} as unknown as ClickhouseServer;
const connection = (readonly: string) =>
  new ClickhouseConnection(
    server,
    { allowWrites: false, database: 'default' },
    { zone: 'UTC', settings: new Map([['readonly', readonly]]) },
  );
const run = (readonly: string, query: string) => connection(readonly).run({ query } as never, {} as never, new AbortController().signal);

test('security 6: an account with readonly = 2 reaches no other place by a table function', async () => {
  for (const query of [
    "SELECT * FROM url('http://169.254.169.254/', 'CSV', 'a String')",
    "SELECT * FROM /* x */ `file`('/etc/passwd')",
    "SELECT * FROM numbers(3), remote('10.0.0.1', system.one)",
    "WITH x AS (SELECT * FROM s3('http://127.0.0.1/b')) SELECT * FROM x",
    "SELECT * FROM somethingNew('x')",
    "DESCRIBE TABLE mysql('a:1', 'b', 'c', 'd', 'e')",
    "SELECT * FROM a JOIN jdbc('x', 'y') USING id",
  ])
    await expect(run('2', query), query).rejects.toThrow(readOnlyMessage);
  expect(sent).toEqual([]);
});

test('what stays inside the server runs, and with readonly = 0 the server itself closes the rest', async () => {
  for (const query of [
    'SELECT count() FROM numbers(3) WHERE number IN (1, 2)',
    'SELECT * FROM (SELECT 1) AS t JOIN values(1, 2) AS v ON 1 = 1',
    "SELECT url, file FROM logs WHERE domain(url) = 'x'",
  ])
    await expect(run('2', query), query).rejects.toThrow('sent');
  await expect(run('0', "SELECT * FROM url('http://x/')")).rejects.toThrow('sent');
});
