import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { archivePrefix, forgetDeletedChannel } from '../channels/archive.ts';
import type { Services } from '../platform/context.ts';
import type { ObjectStore } from '../platform/object-store.ts';
import { fetchArchiveLines, listArchivedChannels, openArchiveCursor, tableNumber } from './archive-uplinks.store.ts';

const compressed = promisify(gzip);
/** Bytes of one object before it is compressed. */
const usualObjectBytes = 16 * 1024 ** 2;

/**
 * Issue 21: puts the messages of a detached partition into the object store before the partition is dropped. Nothing changes such a
 * partition any more, so an interrupted call is simply repeated. It first deletes the objects of the interrupted one, which may be more:
 * messages of devices that were deleted meanwhile are left out. Keys carry the number of the table, so that objects of an earlier partition
 * of the same day stay.
 */
export async function archiveUplinks({ db, log }: Services, store: ObjectStore, partition: string, objectBytes = usualObjectBytes) {
  const part = partition.replace(/^uplink_/, '');
  const table = await tableNumber(db, partition);
  for (const channelPk of await listArchivedChannels(db, partition)) {
    const prefix = `${await archivePrefix(db, channelPk, part)}${table}-`;
    for await (const page of store.list(prefix)) for (const { key } of page) await store.delete(key);
    const messages = await db.transaction().execute(async (tx) => {
      await openArchiveCursor(tx, partition, channelPk);
      let [number, count, bytes] = [0, 0, 0];
      let lines: string[] = [];
      const putObject = async () => {
        await store.put(`${prefix}${String(number++).padStart(6, '0')}.ndjson.gz`, await compressed(`${lines.join('\n')}\n`));
        [lines, bytes] = [[], 0];
      };
      for (let fetched = await fetchArchiveLines(tx); fetched.length > 0; fetched = await fetchArchiveLines(tx)) {
        for (const line of fetched) {
          lines.push(line);
          bytes += line.length;
        }
        count += fetched.length;
        if (bytes >= objectBytes) await putObject();
      }
      if (lines.length > 0) await putObject();
      return count;
    });
    await forgetDeletedChannel(db, channelPk);
    log.info({ partition, channel: channelPk, messages }, 'messages were archived');
  }
}
