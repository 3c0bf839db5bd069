import type { Ctx } from '../platform/context.ts';
import type { ObjectStore } from '../platform/object-store.ts';
import { forgetDeletion, installationFolder, listDeletions, noteFailedDeletion, queueOrphans } from './objects.store.ts';

const foldersAtOnce = 100;
const deletesAtOnce = 8;
/** The sweep leaves younger objects alone: their run may still be writing its result. */
const usualGraceMs = 60 * 60_000;

/** Deletes the objects of deleted results. A folder is forgotten only after the store has confirmed that it is empty. */
export async function deleteQueuedObjects(ctx: Ctx): Promise<void> {
  const { db, objects } = ctx;
  if (!objects) return;
  const begun = new Date();
  for (;;) {
    const folders = await listDeletions(db, begun, foldersAtOnce);
    for (const folder of folders) {
      try {
        await emptyFolder(objects, folder);
        await forgetDeletion(db, folder);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        await noteFailedDeletion(db, folder, message);
        ctx.log.warn({ err: message, folder }, 'objects of a deleted result could not be deleted');
        return;
      }
    }
    if (folders.length < foldersAtOnce) return;
  }
}

async function emptyFolder(store: ObjectStore, folder: string): Promise<void> {
  for await (const page of store.list(`${folder}/`)) {
    for (let at = 0; at < page.length; at += deletesAtOnce) {
      await Promise.all(page.slice(at, at + deletesAtOnce).map(({ key }) => store.delete(key)));
    }
  }
}

/**
 * Finds objects without a result: those that were on their way when a process was killed. The folder is noted with the result before its
 * first object is stored, so a listed folder without a result never gets one.
 */
export async function sweepObjects(ctx: Ctx, graceMs = usualGraceMs): Promise<number> {
  const { db, objects } = ctx;
  if (!objects) return 0;
  const before = Date.now() - graceMs;
  let queued = 0;
  for await (const page of objects.list(await installationFolder(db))) {
    const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() <= before);
    const folders = new Set(old.map(({ key }) => key.slice(0, key.lastIndexOf('/'))));
    if (folders.size > 0) queued += await queueOrphans(db, [...folders]);
  }
  if (queued > 0) ctx.log.info({ folders: queued }, 'objects without a result were found and are deleted');
  return queued;
}
