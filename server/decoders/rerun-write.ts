import { dayOf } from '@telltale/domain/uplinks/retention.ts';
import type { Kysely } from 'kysely';
import type { Db } from '../platform/database.ts';
import type { DB } from '../platform/database-types.ts';
import { LateTimes } from '../uplinks/storage/late-times.ts';
import type { Partitions } from '../uplinks/storage/partitions.ts';
import type { StoredPoint } from './point-diff.ts';
import type { Redecoded, RerunBatch } from './rerun-scan.ts';
import { deletePoints, forgetSeries, learnAttributes, noteDue, settleLast, updateUplink, upsertPoints } from './reruns.store.ts';

/** Updates the points of some messages of a device to the script's new results, all of them or none. */
export async function writeBatch(
  db: Kysely<DB>,
  partitions: Partitions,
  channelPk: number,
  version: number,
  batch: RerunBatch,
): Promise<void> {
  const { device } = batch;
  const done = batch.messages.filter(({ diff }) => diff !== null);
  const written = done.flatMap(({ diff }) => [...(diff?.added ?? []), ...(diff?.changed.map(({ after }) => after) ?? [])]);
  const gone = done.flatMap(({ diff }) => diff?.gone ?? []);
  const touched = [...written, ...gone];
  await partitions.ensure('metric_point', new Set(written.map(({ time }) => dayOf(time))));
  const ids = touched.length > 0 ? await learnAttributes(db, channelPk, touched) : new Map<string, number>();
  await db.transaction().execute(async (tx: Db) => {
    if (gone.length > 0) await deletePoints(tx, device.pk, gone, ids);
    if (written.length > 0) await upsertPoints(tx, device.pk, written, ids);
    for (const message of done) await updateUplink(tx, device.pk, version, rewritten(message));
    const late = new LateTimes();
    for (const { time } of touched) late.note(device.pk, time);
    if (touched.length > 0) await noteDue(tx, [...late]);
  });
  await settle(db, device.pk, touched, ids);
}

/** Updates the last values and the list of attributes. */
async function settle(db: Db, devicePk: number, touched: readonly StoredPoint[], ids: Map<string, number>): Promise<void> {
  const attributes = [...new Set(touched.map(({ name }) => ids.get(name) ?? 0))].sort((a, b) => a - b);
  const empty: number[] = [];
  for (const id of attributes) if (await settleLast(db, devicePk, id)) empty.push(id);
  if (empty.length > 0) await forgetSeries(db, devicePk, empty);
}

function rewritten({ uplink, decoded, diff, own }: Redecoded) {
  const all = [...(diff?.now ?? []), ...own];
  const times = all.length > 0 ? all.map(({ time }) => time) : [uplink.received_at];
  const { warnings, errors } = decoded;
  return { uplink, points: all.length, first: Math.min(...times), last: Math.max(...times), warnings, errors };
}
