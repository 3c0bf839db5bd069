import type { Db } from '../platform/database.ts';
import { HistoryStore } from './history-store.ts';
import { insertReadings } from './insert-readings.ts';
import { isOfHours, listMoves, listPiece, type Move, noteMove } from './moves.store.ts';
import { isNoting } from './outbox.store.ts';

interface MoveOptions {
  /** Readings per step. */
  piece?: number;
  /** Called after each step; false stops the move, and the next one goes on from there. */
  onProgress?: (part: string, moved: number) => boolean;
}

/**
 * Copies the readings that PostgreSQL has to ClickHouse while devices go on reporting: what changes meanwhile goes through the outbox with a
 * greater version. A step that is done twice changes nothing.
 */
export async function moveHistory(
  db: Db,
  url: string,
  { piece = 50_000, onProgress = () => true }: MoveOptions = {},
): Promise<{ moved: number }> {
  if (!(await isNoting(db))) throw new Error('Start the console with CLICKHOUSE_URL once before readings are moved.');
  const store = new HistoryStore(url);
  await store.prepare();
  let moved = 0;
  for (const part of await listMoves(db)) {
    for (let move: Move = part; ; ) {
      const readings = await listPiece(db, move, piece);
      const last = readings.at(-1);
      // Readings of devices that are gone for good have no name any more.
      const named = readings.filter(({ channel_id, attribute }) => channel_id !== null && attribute !== null);
      const target = isOfHours(part) ? 'hour' : part.part === 'metric_last' ? 'last' : 'point';
      await insertReadings(store, target, named);
      moved += named.length;
      const isDone = readings.length < piece;
      const { device_pk, attribute_id, time } = last ?? move;
      move = { part: part.part, device_pk, attribute_id, time, points: move.points + named.length };
      await noteMove(db, move, isDone);
      if (!onProgress(part.part, move.points)) return { moved };
      if (isDone) break;
    }
  }
  return { moved };
}
