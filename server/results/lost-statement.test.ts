import { createConnection } from 'mysql2/promise';
import { expect, inject, test } from 'vitest';
import { missingMariadb, startMariadb } from '../connectors/testing/mariadb.ts';
import { childrenOf } from '../testing/processes.ts';
import { realWorker } from '../testing/real-worker.ts';
import { runAdHoc } from '../testing/run-query.ts';
import { testApp } from '../testing/test-app.ts';

const name = 'worker and executor are killed together: another worker ends the statement at the MySQL server';

test.skipIf(missingMariadb !== undefined)(missingMariadb ? `${name} (needs ${missingMariadb})` : name, async () => {
  const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
  const { start, workerPid } = realWorker(app);
  const server = await startMariadb();
  const options = { host: '127.0.0.1', port: server.port, user: 'root', passwd: '', db: 'mysql' };
  const source = await app.make.dataSource({ type: 'mysql', options });
  const parent = await start();
  const role = (await workerPid()) ?? 0;
  const observer = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
  const running = async (text: string) => {
    const [rows] = await observer.query(
      `select id from information_schema.processlist where info like '%${text}%' and id <> connection_id()`,
    );
    return (rows as unknown[]).length;
  };
  const run = (query: string) => runAdHoc(app.as(app.admin), { data_source_id: source.id, query });
  try {
    const outcome = run(`select benchmark(4000000000, md5('doomed twice'))`);
    await expect.poll(() => running('doomed twice')).toBe(1);
    const executors = childrenOf(role, 'executor/child.ts');
    await app.startWorker();
    for (const pid of [parent.pid ?? 0, role, ...executors]) process.kill(pid, 'SIGKILL');
    // Not of a run that was lost: it goes on.
    const other = run('select sleep(8) as s');
    expect((await outcome).error).toMatch(/stopped before it finished/);
    await expect.poll(() => running('doomed twice')).toBe(0);
    expect((await other).rows).toEqual([{ s: 0 }]);
  } finally {
    await observer.end();
    await server.stop();
  }
});
