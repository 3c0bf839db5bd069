import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalServer, localServer } from './local-server.ts';

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
export const missingChdb = chdb ? undefined : 'the npm package chdb';

/** Parameters of the server's own door that are no settings. */
const reserved = new Set(['database', 'default_format', 'query_id']);

/** Today's ClickHouse as a library, behind just enough of its HTTP door: settings, database, format, failures. */
export async function startChdb(): Promise<LocalServer> {
  if (!chdb) throw new Error('chdb is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'telltale-chdb-'));
  const server = await localServer((request, response) => {
    const parameters = new URL(request.url, 'http://x').searchParams;
    const connectionArgs = [...parameters].filter(([name]) => !reserved.has(name)).map(([name, value]) => `--${name}=${value}`);
    // A session for each request: one that is read-only stays so.
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
