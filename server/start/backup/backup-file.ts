import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { pipeline as pipe, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { StartError } from '../start-error.ts';

/**
 * A backup is one compressed file of lines: a manifest, then for each table its name and its rows as JSON, then the checksum of all lines
 * before.
 */
export const Manifest = z.object({
  format: z.literal('telltale backup 1'),
  made_at: z.string(),
  version: z.string(),
  migrations: z.array(z.string()),
  has_telemetry: z.boolean(),
  /** A fingerprint of the key that the secrets in here are sealed with. */
  key_fingerprint: z.string(),
  /** The key itself; null where it was given by TELLTALE_SECRET_KEY or left out on purpose. */
  secret_key: z.string().nullable(),
  parts: z.array(z.object({ name: z.string(), of: z.string(), bound: z.string() })),
});
export type Manifest = z.output<typeof Manifest>;

const End = z.object({ end: z.literal(true), sha256: z.string() });

/** Writes a draft and renames it, so an incomplete file never appears; only its owner may read it. */
export async function writeBackup(file: string, lines: AsyncIterable<string>): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  const sum = createHash('sha256');
  async function* summed() {
    for await (const text of lines) {
      const line = `${text}\n`;
      sum.update(line);
      yield line;
    }
    yield `${JSON.stringify({ end: true, sha256: sum.digest('hex') })}\n`;
  }
  try {
    await pipeline(Readable.from(summed()), createGzip({ level: 6 }), createWriteStream(draft, { mode: 0o600, flush: true }));
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

const broken = (file: string) => new StartError(`${file} is no whole backup: it was cut off or changed.`);

/** Splits by line feeds alone: other line ends may stand inside texts. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const text = pipe(createReadStream(file), createGunzip(), () => {});
  text.setEncoding('utf8');
  let rest = '';
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}

/** Reads the whole file once, so that nothing of a broken one is ever loaded. */
export async function checkBackup(file: string): Promise<Manifest> {
  const sum = createHash('sha256');
  let manifest: Manifest | undefined;
  let last: string | undefined;
  try {
    for await (const line of linesOf(file)) {
      if (last !== undefined) sum.update(`${last}\n`);
      manifest ??= Manifest.parse(JSON.parse(line));
      last = line;
    }
    const end = End.parse(JSON.parse(last ?? ''));
    if (!manifest || end.sha256 !== sum.digest('hex')) throw broken(file);
    return manifest;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new StartError(`There is no file ${file}.`);
    throw error instanceof StartError ? error : broken(file);
  }
}

/** The lines between the manifest and the checksum. */
export async function* readBackup(file: string): AsyncGenerator<string> {
  let before: string | undefined;
  let isFirst = true;
  for await (const line of linesOf(file)) {
    if (isFirst) {
      isFirst = false;
      continue;
    }
    if (before !== undefined) yield before;
    before = line;
  }
}
