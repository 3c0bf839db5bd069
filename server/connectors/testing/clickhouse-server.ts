import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, isOk, type Program, startProgram } from './program.ts';

const program = findProgram('clickhouse-server');
export const missingClickhouse = program ? undefined : 'clickhouse-server (Debian: clickhouse-server)';

const users = `<yandex>
  <profiles><default/><readonly><readonly>1</readonly></readonly></profiles>
  <quotas><default/></quotas>
  <users>
    <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
    <reader><password>canary-7f3a</password><networks><ip>127.0.0.1</ip></networks><profile>readonly</profile><quota>default</quota></reader>
  </users>
</yandex>`;

/** Starts ClickHouse with the users `default`, without a password, and `reader`, who cannot write. */
export function startClickhouse(timeZone = 'Europe/Berlin'): Promise<Program> {
  return startProgram(
    program ?? '',
    async ({ port, folder }) => {
      for (const name of ['data', 'tmp', 'files', 'formats']) await mkdir(join(folder, name));
      await writeFile(join(folder, 'users.xml'), users);
      await writeFile(
        join(folder, 'config.xml'),
        `<yandex><logger><level>error</level><console>1</console></logger>
        <listen_host>127.0.0.1</listen_host><http_port>${port}</http_port><timezone>${timeZone}</timezone>
        <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><user_files_path>${folder}/files/</user_files_path>
        <format_schema_path>${folder}/formats/</format_schema_path><mark_cache_size>104857600</mark_cache_size>
        <users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database></yandex>`,
      );
      return [`--config-file=${join(folder, 'config.xml')}`];
    },
    (port) => isOk(`http://127.0.0.1:${port}/`),
  );
}

/** Queries the server directly, as its administrator. */
export async function askClickhouse(port: number, query: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: query });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text.trimEnd();
}
