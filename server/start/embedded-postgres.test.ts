import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { untilFound } from '../testing/until.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { isRoot } from './folder-access.ts';
import { getPostgresPackage, hydrateLinks, type PostgresBinaries } from './postgres-binaries.ts';
import { isAlive } from './process-identity.ts';
import { temporaryFolder, unusedPid } from './testing.ts';

async function start(dataFolder: string, binaries?: PostgresBinaries): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataFolder, durable: false, binaries });
  onTestFinished(() => server.stop());
  return server;
}

/** A server whose parent was killed with -9. */
async function orphan(dataFolder: string): Promise<{ pid: number; port: number; movedTo?: string }> {
  const face = new URL('./embedded-postgres.ts', import.meta.url).href;
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(face)});
    const { pid, port, movedTo } = await startEmbeddedPostgres({ dataFolder: ${JSON.stringify(dataFolder)}, durable: false });
    console.log(JSON.stringify({ pid, port, movedTo }));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  return JSON.parse(said.toString());
}

async function ask(connectionString: string, text: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows[0];
  } finally {
    await client.end();
  }
}

describe('embedded PostgreSQL', () => {
  test('first start: an owner who is no superuser, nothing for PUBLIC, only on loopback', async () => {
    const server = await start(join(await temporaryFolder(), 'data'));
    const who = await ask(server.url, `select current_user as name, rolsuper as super from pg_roles where rolname = current_user`);
    expect(who).toEqual({ name: 'telltale', super: false });
    await ask(server.url, 'create schema console');
    await ask(server.superuserUrl, `create role reader login password 'reading'`);
    const reader = server.url.replace(/telltale:[^@]+@/, 'reader:reading@');
    await expect(ask(reader, 'select 1')).rejects.toThrow('permission denied for database');
    await expect(ask(reader.replace(/[^/]+$/, 'postgres'), 'select 1')).rejects.toThrow('permission denied for database');
    await expect(ask(server.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed');
    expect(await ask(server.url, `select current_setting('listen_addresses') as at, lower('ÄÖ') as low`)).toEqual({
      at: '127.0.0.1',
      low: 'äö',
    });
  });

  test('passwords and log are private, and a second start finds the data', async () => {
    const folder = join(await temporaryFolder(), 'data');
    const first = await startEmbeddedPostgres({ dataFolder: folder, durable: false });
    await ask(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    for (const file of ['postgres-18.json', 'postgres.log']) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(isRoot() ? 0o711 : 0o700);
    const second = await start(folder);
    expect(await ask(second.url, 'select answer from kept')).toEqual({ answer: 42 });
    expect(second.adopted).toBe(false);
  });

  test('a server left by a killed parent is taken over; one with other settings is replaced', async () => {
    const folder = join(await temporaryFolder(), 'data');
    const left = await orphan(folder);
    const heir = await startEmbeddedPostgres({ dataFolder: folder, durable: false });
    expect(heir).toMatchObject({ adopted: true, pid: left.pid, port: left.port });
    await heir.stop();
    expect(isAlive(left.pid)).toBe(false);
    const unsafe = await orphan(folder);
    const durable = await startEmbeddedPostgres({ dataFolder: folder });
    onTestFinished(() => durable.stop());
    expect(isAlive(unsafe.pid)).toBe(false);
    expect(durable.adopted).toBe(false);
    expect(await ask(durable.url, 'show fsync')).toEqual({ fsync: 'on' });
  });

  test.each(['dead', 'foreign'])('a pid file that names a %s process does not stop the start', async (kind) => {
    const folder = join(await temporaryFolder(), 'data');
    const first = await startEmbeddedPostgres({ dataFolder: folder, durable: false });
    const note = await readFile(join(first.folder, 'postmaster.pid'), 'utf8');
    await first.stop();
    const pid = kind === 'dead' ? unusedPid() : process.ppid;
    await writeFile(join(first.folder, 'postmaster.pid'), note.replace(/^\d+/, String(pid)));
    expect((await start(folder)).adopted).toBe(false);
  });

  test('a server that dies comes back on its port', async () => {
    const server = await start(join(await temporaryFolder(), 'data'));
    const died = server.pid;
    process.kill(died, 'SIGKILL');
    await untilFound('it answers again', 60_000, () => ask(server.url, 'select 1 as up').catch(() => undefined));
    expect(server.pid).not.toBe(died);
  });

  test('what a killed first start left behind is removed and the start succeeds', async () => {
    const folder = join(await temporaryFolder(), 'data');
    await mkdir(join(folder, 'postgres-18.0123abcd.tmp', 'cluster'), { recursive: true });
    await writeFile(join(folder, 'postgres-18.0123abcd.tmp', 'cluster', 'PG_VERSION'), '18\n');
    const server = await start(folder);
    expect(await ask(server.url, 'select 1 as up')).toEqual({ up: 1 });
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a cluster of another version is named', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'postgres-17'));
    await writeFile(join(folder, 'postgres-17', 'PG_VERSION'), '17\n');
    await expect(start(folder)).rejects.toThrow(`${join(folder, 'postgres-17')} is a cluster of PostgreSQL 17`);
  });

  test('a cluster without its passwords is not replaced', async () => {
    const folder = join(await temporaryFolder(), 'data');
    await (await startEmbeddedPostgres({ dataFolder: folder, durable: false })).stop();
    await rm(join(folder, 'postgres-18.json'));
    await expect(start(folder)).rejects.toThrow('passwords of the database');
  });

  test('library links that an install without scripts left out are made, and made once', async () => {
    const binaries = await copyPackage();
    const lib = join(binaries.folder, 'native', 'lib');
    const links = async () =>
      (await readdir(lib, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name);
    const complete = await links();
    await Promise.all(complete.map((name) => rm(join(lib, name))));
    expect(await Promise.all([hydrateLinks(binaries.folder), hydrateLinks(binaries.folder)])).toEqual([true, true]);
    expect((await links()).sort()).toEqual(complete.sort());
    await start(join(await temporaryFolder(), 'data'), binaries);
  });

  test.runIf(isRoot())(
    'as root: data under a closed folder goes to a system folder, and begins anew there when the data folder is emptied',
    async () => {
      const folder = join(await temporaryFolder(0o700), 'data');
      const first = await startEmbeddedPostgres({ dataFolder: folder, durable: false });
      const movedTo = first.movedTo ?? '';
      onTestFinished(async () => {
        await rm(movedTo, { recursive: true, force: true });
        await rmdir('/var/lib/telltale').catch(() => {}); // another process may use it
      });
      expect(movedTo).toMatch(/^\/var\/lib\/telltale\/data-[0-9a-f]{12}$/);
      expect(first.folder).toBe(join(movedTo, 'postgres-18'));
      expect(first.runsAs).toMatch(/^(telltale|postgres|nobody)$/);
      await first.stop();
      const left = await orphan(folder);
      expect(left.movedTo).toBe(movedTo);
      await rm(folder, { recursive: true });
      expect((await start(folder)).adopted).toBe(false);
      expect(isAlive(left.pid)).toBe(false);
      expect((await readdir(movedTo)).some((name) => name.includes('set-aside'))).toBe(true);
    },
  );

  test.runIf(isRoot())('as root: binaries in a closed folder are copied beside the cluster', async () => {
    const binaries = await copyPackage();
    await chmod(binaries.folder, 0o700);
    const folder = join(await temporaryFolder(), 'data');
    const server = await start(folder, binaries);
    expect(server.movedTo).toBeUndefined();
    expect((await readdir(folder)).filter((name) => name.startsWith('postgres-binaries-'))).toHaveLength(1);
    expect(await ask(server.url, 'select 1 as up')).toEqual({ up: 1 });
  });

  test.runIf(isRoot())('as root: a cluster that can no longer be entered is not replaced by an empty one', async () => {
    const root = await temporaryFolder();
    await (await startEmbeddedPostgres({ dataFolder: join(root, 'data'), durable: false })).stop();
    await chmod(root, 0o700);
    await expect(start(join(root, 'data'))).rejects.toThrow(`may not enter ${root}: allow it with chmod o+x ${root}`);
  });
});

async function copyPackage(): Promise<PostgresBinaries> {
  const given = await getPostgresPackage();
  const folder = join(await temporaryFolder(), 'package');
  await cp(given.folder, folder, { recursive: true, verbatimSymlinks: true });
  return { ...given, folder };
}
