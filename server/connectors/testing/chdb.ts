import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalServer, localServer } from './local-server.ts';
import { unbuilt } from './unbuilt.ts';

interface Session {
  query(text: string, format?: string): string;
  close(): void;
}
type Chdb = { Session: new (folder: string, options: { connectionArgs: string[] }) => Session };

const require = createRequire(import.meta.url);

function findChdb(): Chdb | undefined {
  try {
    return require('chdb');
  } catch {
    return undefined;
  }
}

const chdb = findChdb();
/** Set when chdb is not installed. */
export const missingChdb = chdb ? undefined : 'the npm package chdb';
export const unbuiltChdb = unbuilt('chdb');

/** HTTP parameters that are not settings. */
const reserved = new Set(['database', 'default_format', 'query_id']);

/** Serves today's ClickHouse, as a library, over a small part of its HTTP interface: settings, database, format, errors. */
export async function startChdb(): Promise<LocalServer> {
  if (!chdb) throw new Error('chdb is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'telltale-chdb-'));
  const server = await localServer((request, response) => {
    const parameters = new URL(request.url, 'http://x').searchParams;
    const connectionArgs = [...parameters].filter(([name]) => !reserved.has(name)).map(([name, value]) => `--${name}=${value}`);
    // Each request gets a session, because a read-only one stays read-only.
    const session = new chdb.Session(folder, { connectionArgs });
    try {
      session.query(`USE "${parameters.get('database') ?? 'default'}"`);
      response.end(session.query(request.body, parameters.get('default_format') ?? 'TabSeparated'));
    } catch (error) {
      response.writeHead(500).end((error as Error).message.replace(/^Query failed: /, ''));
    } finally {
      session.close();
    }
  });
  const close = async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...server, close };
}
