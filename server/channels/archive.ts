import type { ArchivedMessages, ByArchive } from '@telltale/domain/channels/archive-contract.ts';
import type { UserCtx } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { notFound, unavailable } from '../platform/errors.ts';
import { Streamed } from '../platform/http/http.ts';
import { type ListedObject, type ObjectStore, ObjectStoreError } from '../platform/object-store.ts';
import { archiveFolder, queueArchiveDeletion, queuePartDeletions } from './archive.store.ts';
import { getChannelRow } from './channels.ts';

/** The prefix of a part's keys; a key is `{installation}/uplinks/{channel}/{part}/{table}-{number}.ndjson.gz`. */
export const archivePrefix = async (db: Db, channelPk: number, part: string) => `${await archiveFolder(db, channelPk)}/${part}/`;

/** Deletes what was archived while its channel was being deleted: the upkeep may have emptied the folder before that. */
export const forgetDeletedChannel = (db: Db, channelPk: number) => queueArchiveDeletion(db, channelPk, { onlyDeleted: true });

/** iot-behaviour 1.8: deletes the archived messages of days, weeks and months that ended before the cutoff of the channel's retention. */
export async function forgetArchivedBefore(db: Db, store: ObjectStore, channelPk: number, cutoff: Date): Promise<void> {
  const folder = await archiveFolder(db, channelPk);
  const old = new Set<string>();
  for await (const page of store.list(`${folder}/`)) {
    for (const { key } of page) {
      const [part = ''] = key.slice(folder.length + 1).split('/');
      if (partEnd(part) <= cutoff.getTime()) old.add(`${folder}/${part}`);
    }
  }
  if (old.size > 0) await queuePartDeletions(db, [...old]);
}

/** The end of `20261017` is a day later, that of `20261012w` a week and that of `20260901m` a month. */
function partEnd(part: string): number {
  const [, year, month, day, span] = /^(\d{4})(\d\d)(\d\d)([wm]?)$/.exec(part) ?? [];
  if (year === undefined) return Number.POSITIVE_INFINITY;
  if (span === 'm') return Date.UTC(Number(year), Number(month));
  return Date.UTC(Number(year), Number(month) - 1, Number(day) + (span === 'w' ? 7 : 1));
}

const away = 'The object store that keeps old messages cannot be reached. Please try again later.';

/** Issue 21: empty where no object store is set up. */
export async function listArchive(ctx: UserCtx, channelId: string): Promise<ArchivedMessages[]> {
  const { pk } = await getChannelRow(ctx, channelId);
  if (!ctx.objects) return [];
  const folder = await archiveFolder(ctx.db, pk);
  const parts = new Map<string, ArchivedMessages>();
  for (const { key, bytes, modifiedAt } of await listObjects(ctx.objects, `${folder}/`)) {
    const [name = ''] = key.slice(folder.length + 1).split('/');
    const part = parts.get(name);
    const stored_at = modifiedAt.toISOString();
    parts.set(name, {
      name,
      bytes: bytes + (part?.bytes ?? 0),
      stored_at: part && part.stored_at > stored_at ? part.stored_at : stored_at,
    });
  }
  return [...parts.values()].sort((a, b) => (a.name < b.name ? 1 : -1));
}

/** The objects one after the other: several gzip members are one gzip file. */
export async function downloadArchive(ctx: UserCtx, { id, name }: ByArchive): Promise<Streamed> {
  const { pk } = await getChannelRow(ctx, id);
  const store = ctx.objects;
  const objects = store ? await listObjects(store, await archivePrefix(ctx.db, pk, name)) : [];
  if (!store || objects.length === 0) throw notFound();
  const headers = { 'content-type': 'application/gzip', 'content-disposition': `attachment; filename="${id}-${name}.ndjson.gz"` };
  async function* body(from: ObjectStore) {
    for (const { key, bytes } of objects.sort((a, b) => (a.key < b.key ? -1 : 1))) yield await from.get(key, bytes);
  }
  return new Streamed(headers, body(store));
}

async function listObjects(store: ObjectStore, prefix: string): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  try {
    for await (const page of store.list(prefix)) found.push(...page);
  } catch (error) {
    throw error instanceof ObjectStoreError ? unavailable(away, error) : error;
  }
  return found;
}
