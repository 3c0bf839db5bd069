import { sql } from 'kysely';
import type { QueuedDownlink, SimulatedQueue } from '../networks/network.ts';
import type { Columns, Db } from '../platform/database.ts';

const keptDays = 3;

export const insertHanded = (
  db: Db,
  handed: { attempt_id: string; network_id: number; device_pk: number; network_ref: string | null; answerSeconds: number | null },
) =>
  sql`
    insert into network_downlinks (attempt_id, network_id, device_pk, network_ref, answer_until)
    select ${handed.attempt_id}, networks.id, device.id, ${handed.network_ref}, now() + make_interval(secs => ${handed.answerSeconds}::int)
    from networks, telemetry.device where networks.id = ${handed.network_id} and device.id = ${handed.device_pk}
    on conflict (attempt_id) do nothing`.execute(db);

/** Stores the network's own id of the downlink. */
export const setNetworkRef = (db: Db, attempt_id: string, network_ref: string) =>
  sql`update network_downlinks set network_ref = ${network_ref} where attempt_id = ${attempt_id}`.execute(db);

export const deleteHanded = (db: Db, attempt_id: string) => sql`delete from network_downlinks where attempt_id = ${attempt_id}`.execute(db);

/** Records that the network has reported on the downlink. */
export const markAnswered = (db: Db, attempt_id: string, isEnd: boolean) =>
  sql`
    update network_downlinks set answer_until = null, ended_at = case when ${isEnd} then now() else ended_at end
    where attempt_id = ${attempt_id} and (answer_until is not null or ${isEnd})`.execute(db);

/** Finds our attempt by the id that the network gave it. */
export async function findAttempt(db: Db, network_ref: string): Promise<string | undefined> {
  const { rows } = await sql<
    Columns<'network_downlinks', 'attempt_id'>
  >`select attempt_id from network_downlinks where network_ref = ${network_ref}`.execute(db);
  return rows[0]?.attempt_id;
}

export async function listOpenAttempts(db: Db, devicePk: number): Promise<string[]> {
  const { rows } = await sql<Columns<'network_downlinks', 'attempt_id'>>`
    select attempt_id from network_downlinks where device_pk = ${devicePk} and ended_at is null order by handed_at`.execute(db);
  return rows.map(({ attempt_id }) => attempt_id);
}

/** Returns, once each, the attempts that the network should have answered by now. */
export async function takeUnanswered(db: Db, network_id: number): Promise<string[]> {
  const { rows } = await sql<Columns<'network_downlinks', 'attempt_id'>>`
    update network_downlinks set answer_until = null, ended_at = now()
    where network_id = ${network_id} and answer_until < now() returning attempt_id`.execute(db);
  return rows.map(({ attempt_id }) => attempt_id);
}

export const forgetOldDownlinks = (db: Db) =>
  sql`delete from network_downlinks where handed_at < now() - make_interval(days => ${keptDays})`.execute(db);

export const simulatedQueue = (db: Db, network_id: number): SimulatedQueue => ({
  async list() {
    const { rows } = await sql<QueuedDownlink>`
      select attempt_id, device_id, fport, bytes, confirmed, attempts, most_attempts from simulated_downlinks
      where network_id = ${network_id} order by created_at, attempt_id limit 10000`.execute(db);
    return rows;
  },
  async remove(attempt_id) {
    await sql`delete from simulated_downlinks where attempt_id = ${attempt_id}`.execute(db);
  },
  async retry(attempt_id) {
    await sql`update simulated_downlinks set attempts = attempts + 1 where attempt_id = ${attempt_id}`.execute(db);
  },
});

export const clearSimulated = (db: Db, network_id: number, device_id: string) =>
  sql`delete from simulated_downlinks where network_id = ${network_id} and device_id = ${device_id}`.execute(db);

export const pushSimulated = (db: Db, network_id: number, item: Omit<QueuedDownlink, 'attempts'>) =>
  sql`
    insert into simulated_downlinks (attempt_id, network_id, device_id, fport, bytes, confirmed, most_attempts)
    values (${item.attempt_id}, ${network_id}, ${item.device_id}, ${item.fport}, ${item.bytes}, ${item.confirmed}, ${item.most_attempts})
    on conflict (attempt_id) do nothing`.execute(db);
