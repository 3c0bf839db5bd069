import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Config, readConfig } from '../../config.ts';
import { createLogger } from '../../platform/log.ts';
import { migrate } from '../../platform/migrate.ts';
import { createFileOnce } from '../atomic-file.ts';
import { getSecretKey } from '../secret-key.ts';
import { StartError } from '../start-error.ts';
import { checkBackup, type Manifest, writeBackup } from './backup-file.ts';
import { openDatabase } from './backup-place.ts';
import { dumpLines, fingerprintOf } from './dump.ts';
import { loadBackup } from './load.ts';

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Writes a backup of the configured installation; returns notes for the operator. */
export async function makeBackup(file: string, options: { telemetry: boolean; withoutKey: boolean }): Promise<string[]> {
  const config = readConfig();
  if (
    await access(file).then(
      () => true,
      () => false,
    )
  )
    throw new StartError(`${file} is there already. Choose another name.`);
  const secretKey = await getSecretKey(config.secretKey, config.dataFolder);
  const hasKey = config.secretKey === undefined && !options.withoutKey;
  const place = await openDatabase(config, true);
  try {
    await withClient(place.url, (client) => writeBackup(file, dumpLines(client, { withTelemetry: options.telemetry, secretKey, hasKey })));
  } finally {
    await place.close();
  }
  return [
    `Written: ${file}`,
    hasKey
      ? 'It holds the secret key, which opens the passwords in it: keep it as safe as they are.'
      : `The secret key is not in it. Keep ${config.secretKey === undefined ? join(config.dataFolder, 'secret.key') : 'TELLTALE_SECRET_KEY'} beside it: without it passwords and keys cannot be read.`,
    options.telemetry ? 'Readings and messages are in it.' : 'Readings and messages are not in it (--telemetry adds them).',
    `Files of file sources (${config.filesFolder}) are not in it.`,
  ];
}

/** Restores into an empty data folder or database; anything else is refused before it is changed. */
export async function restoreBackup(file: string): Promise<string[]> {
  const config = readConfig();
  const manifest = await checkBackup(file);
  await placeKey(config, manifest);
  const place = await openDatabase(config, false);
  try {
    await migrate(place.url, createLogger('error'));
    const { tables, rows } = await withClient(place.url, (client) => loadBackup(client, file, manifest));
    return [
      `Restored ${rows} rows of ${tables} tables from ${manifest.made_at}. Everybody signs in again; start the console with npm start.`,
    ];
  } finally {
    await place.close();
  }
}

/** Restores the key, because sealed values can only be read with the key they were sealed with. */
async function placeKey(config: Config, { secret_key, key_fingerprint }: Manifest): Promise<void> {
  const keyFile = join(config.dataFolder, 'secret.key');
  const kept = config.secretKey ?? (await readFile(keyFile, 'utf8').catch(() => undefined))?.trim();
  if (kept !== undefined) {
    if (fingerprintOf(kept) === key_fingerprint) return;
    throw new StartError(
      `The secret key of ${config.secretKey === undefined ? keyFile : 'TELLTALE_SECRET_KEY'} is not the one of this backup. Restore into an empty data folder.`,
    );
  }
  if (secret_key === null)
    throw new StartError('The secret key is not in this backup. Set TELLTALE_SECRET_KEY to the one of the installation it was made of.');
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 });
  await createFileOnce(keyFile, `${secret_key}\n`);
}
