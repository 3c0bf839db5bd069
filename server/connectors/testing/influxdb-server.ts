import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, isOk, type Program, startProgram } from './program.ts';

const program = findProgram('influxd');
export const missingInfluxdb = program ? undefined : 'influxd (Debian: influxdb)';

/** Starts InfluxDB 1.x; authentication applies once a first administrator exists. */
export function startInfluxdb({ hasAuth = false } = {}): Promise<Program> {
  return startProgram(
    program ?? '',
    async ({ port, otherPort, folder }) => {
      const config = `reporting-disabled = true
bind-address = "127.0.0.1:${otherPort}"
[meta]
  dir = "${folder}/meta"
  logging-enabled = false
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
  query-log-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
  auth-enabled = ${hasAuth}
[logging]
  level = "error"
`;
      await writeFile(join(folder, 'influxdb.conf'), config);
      return ['-config', join(folder, 'influxdb.conf')];
    },
    (port) => isOk(`http://127.0.0.1:${port}/ping`),
  );
}

/** Queries the server directly. */
export async function askInfluxdb(port: number, query: string, authorization?: string): Promise<string> {
  const headers: Record<string, string> = authorization ? { authorization } : {};
  const response = await fetch(`http://127.0.0.1:${port}/query?db=plant`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ q: query }),
  });
  return response.text();
}

export async function writePoints(port: number, lines: string[], authorization?: string): Promise<void> {
  const headers: Record<string, string> = authorization ? { authorization } : {};
  const response = await fetch(`http://127.0.0.1:${port}/write?db=plant&precision=ms`, { method: 'POST', headers, body: lines.join('\n') });
  if (!response.ok) throw new Error(await response.text());
}
