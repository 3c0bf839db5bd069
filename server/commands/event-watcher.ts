import { setTimeout as delay } from 'node:timers/promises';
import { nobody } from '@telltale/domain/access/identity.ts';
import type { Reported } from '@telltale/domain/commands/compare.ts';
import { attributesOf, hasMismatch, holds } from '@telltale/domain/commands/condition.ts';
import { advanceEdge, type Edge, type Sample } from '@telltale/domain/commands/edge.ts';
import type { Condition } from '@telltale/domain/commands/schedule.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import { CoalescedTask } from '../platform/coalesced-task.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { type Listener, listen } from '../platform/jobs/listen.ts';
import { pointTime } from '../uplinks/storage/series.ts';
import type { Found, Match, SeenUplink, UplinkWatcher } from '../uplinks/watchers.ts';
import { conditionKey, edgeNotice, edgeOf, edgesChannel, handleEdges, type Sampled } from './event-schedules.ts';
import { type LastValue, listEventRows, readNewestValues, type ScheduleRow } from './schedules.store.ts';

const retryMs = 1000;
const mismatchEveryMs = 60 * 60_000;

/** A table trigger sends this notification when a schedule changes. */
const scheduleNotification = 'telltale_command_schedules';

interface Watched {
  id: number;
  device_pk: number;
  /** The name of the condition. */
  key: string;
  condition: Condition;
  attributes: Set<string>;
  /** The last value and its time, by attribute. */
  values: Map<string, Reported & { at: number }>;
  edge: Edge;
  /** The newest sample of this process. */
  last: { uplink_id: string; sample: Sample } | undefined;
  /** The time of the newest sample that was handed on as news. */
  handedAt: number;
  /** When this process last handed on that a value is of the wrong kind, in milliseconds. */
  mismatchAt: number;
  isClear(value: number | null): boolean;
}

/** iot-behaviour 3.7.4: with `clear_value`, a schedule is armed again only beyond that value. */
function clearing({ operator, clear_value }: ScheduleRow): Watched['isClear'] {
  if (clear_value === null || operator === null) return () => true;
  if (operator.startsWith('>')) return (value) => value !== null && value <= clear_value;
  return operator.startsWith('<') ? (value) => value !== null && value >= clear_value : () => true;
}

/**
 * Checks every uplink of this process against event schedules. It remembers the last state of each condition, so that only changes reach
 * the database, which decides on the locked row whether a schedule fires. Notifications bring the states that other processes have stored.
 */
export class EventWatcher implements UplinkWatcher {
  readonly name = 'commands.events';
  readonly handle = handleEdges;
  readonly #services: Services;
  readonly #listener: Listener;
  readonly #ready = Promise.withResolvers<void>();
  #byDevice = new Map<number, Watched[]>();
  #isStopped = false;
  readonly #reading = new CoalescedTask(() => this.#read());
  readonly #heard: string[] = [];
  /** Devices whose last uplinks were not stored. */
  readonly #forgotten = new Set<number>();
  readonly #settling = new Set<Promise<unknown>>();

  constructor(services: Services) {
    this.#services = services;
    const refresh = () => this.refresh();
    const channels = { [scheduleNotification]: refresh, [edgesChannel]: (text: string) => this.#hear(text) };
    this.#listener = listen(services.databaseUrl, channels, refresh, services.log);
  }

  async ready(): Promise<void> {
    await this.#ready.promise;
    await this.#reading.settled();
  }

  /** True when this watcher knows a saved schedule. */
  knows(id: number): boolean {
    return [...this.#byDevice.values()].flat().some((watched) => watched.id === id);
  }

  match(device: DeviceEntry, uplink: SeenUplink): Found[] | undefined {
    const schedules = this.#byDevice.get(device.pk);
    if (!schedules) return undefined;
    return schedules.flatMap((watched): Found[] => {
      const taken = sample(watched, uplink);
      if (taken.length === 0) return [];
      // The database may not know the sample before, because another process has stored an older one meanwhile.
      const samples = watched.last ? [watched.last.sample, ...taken] : taken;
      const after = advanceEdge(watched.edge, samples, Date.now());
      const isMismatch = isMismatchDue(watched);
      const isNews = isMoved(watched.edge, after) || uplink.isBehind === true || isMismatch;
      watched.edge = { state: after.state, evaluated_at: after.evaluated_at };
      const newest = taken.at(-1);
      if (newest && newest.at > (watched.last?.sample.at ?? 0)) watched.last = { uplink_id: uplink.uplink_id, sample: newest };
      if (!isNews) return [];
      watched.handedAt = newest?.at ?? 0;
      const payload: Sampled = { samples, key: watched.key, ...(isMismatch ? { isMismatch } : {}) };
      return [{ subject_id: watched.id, payload }];
    });
  }

  /** Notifications of other processes may still be on their way when a device comes from there. */
  async catchUp(devicePks: readonly number[]): Promise<void> {
    await this.ready();
    const known = devicePks.flatMap((pk) => this.#byDevice.get(pk) ?? []);
    if (known.length === 0) return;
    const { db } = this.#services;
    const rows = await listEventRows(
      db,
      known.map(({ id }) => id),
    );
    const values = await readValues(db, rows);
    for (const row of rows) {
      const watched = this.#find(row.device_pk, row.id);
      for (const value of values.get(row.device_pk) ?? []) if (watched) keepNewer(watched, value);
      this.#hear(edgeNotice(row, edgeOf(row)));
    }
  }

  /** Reads the schedules of a device again, because its last uplinks were not stored. */
  forget(devicePk: number): void {
    if (!this.#byDevice.has(devicePk)) return;
    this.#forgotten.add(devicePk);
    this.refresh();
  }

  refresh(): void {
    this.#reading.request();
  }

  async #read(): Promise<void> {
    const { db, log } = this.#services;
    try {
      const forgotten = new Set(this.#forgotten);
      const rows = await listEventRows(db, null);
      const values = await readValues(db, rows);
      const known = new Map([...this.#byDevice.values()].flat().map((watched) => [watched.id, watched]));
      const watched = rows.flatMap((row) => {
        const before = forgotten.has(row.device_pk ?? 0) ? undefined : known.get(row.id);
        return row.condition ? [watch(row, row.condition, values.get(row.device_pk) ?? [], before)] : [];
      });
      this.#byDevice = Map.groupBy(watched, ({ device_pk }) => device_pk);
      for (const pk of forgotten) this.#forgotten.delete(pk);
      for (const row of rows) this.#apply(edgeNotice(row, edgeOf(row)));
      for (const text of this.#heard.splice(0)) this.#apply(text);
      this.#ready.resolve();
    } catch (error) {
      log.warn({ err: error instanceof Error ? error.message : String(error) }, 'schedules of events could not be read');
      await delay(retryMs);
      if (!this.#isStopped) this.#reading.request();
    }
  }

  #find(devicePk: number | null, id: number): Watched | undefined {
    return this.#byDevice.get(devicePk ?? 0)?.find((watched) => watched.id === id);
  }

  #hear(text: string): void {
    // A read in progress may return older edges, so the text is applied again after it.
    if (this.#reading.isRunning) this.#heard.push(text);
    this.#apply(text);
  }

  /** Takes over a stored edge. When this process has seen a later sample, that one is evaluated on it. */
  #apply(text: string): void {
    const [id, devicePk, key, state, evaluated] = text.split(':');
    const watched = this.#find(Number(devicePk), Number(id));
    if (!watched || watched.key !== key) return;
    const stored: Edge = { state: state as Edge['state'], evaluated_at: evaluated ? Number(evaluated) : null };
    const { last, edge, handedAt } = watched;
    const storedAt = stored.evaluated_at ?? 0;
    // News of this process that is newer is about to be handled; its outcome arrives as well.
    if (handedAt > storedAt) return;
    if ((edge.evaluated_at ?? 0) <= storedAt) watched.edge = stored;
    else if (last && last.sample.at > storedAt) {
      const after = advanceEdge(stored, [last.sample], Date.now());
      watched.edge = { state: after.state, evaluated_at: after.evaluated_at };
      if (isMoved(stored, after)) this.#settleLater(watched, last, stored);
    }
  }

  /** Settles a sample that is news since another process's older one; if that fails, the next sample is evaluated together with it. */
  #settleLater(watched: Watched, { uplink_id, sample }: NonNullable<Watched['last']>, stored: Edge): void {
    if (this.#isStopped) return;
    watched.handedAt = sample.at;
    const payload: Sampled = { samples: [sample], key: watched.key };
    const at = new Date().toISOString();
    const match: Match = { watcher: this.name, subject_id: watched.id, device_pk: watched.device_pk, uplink_id, at, payload };
    const settling = createCtx(this.#services, nobody)
      .transaction((tx) => handleEdges(tx, [match]))
      .catch((error: Error) => {
        watched.edge = stored;
        watched.handedAt = 0;
        this.#services.log.warn({ err: error.message }, 'a reading that came out of order could not be settled');
      })
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#listener.stop();
    await this.#reading.settled();
    await Promise.all(this.#settling);
  }
}

const isMoved = (before: Edge, after: ReturnType<typeof advanceEdge>): boolean =>
  after.state !== before.state || after.fired_at !== null || after.is_stale;

async function readValues(db: Services['db'], rows: readonly ScheduleRow[]): Promise<Map<number | null, LastValue[]>> {
  const names = new Set(rows.flatMap(({ condition }) => (condition ? attributesOf(condition) : [])));
  const pks = new Set(rows.map(({ device_pk }) => device_pk ?? 0));
  return Map.groupBy(await readNewestValues(db, [...pks], [...names]), ({ device_pk }): number | null => device_pk);
}

function keepNewer(
  { attributes, values }: Pick<Watched, 'attributes' | 'values'>,
  { name, kind, value, text, at }: Omit<LastValue, 'device_pk'>,
) {
  if (attributes.has(name) && at >= (values.get(name)?.at ?? 0)) values.set(name, { kind, value, text, at });
}

function watch(row: ScheduleRow, condition: Condition, stored: readonly LastValue[], known: Watched | undefined): Watched {
  const key = conditionKey(row);
  const attributes = new Set(attributesOf(condition));
  const values: Watched['values'] = new Map();
  for (const value of stored) keepNewer({ attributes, values }, value);
  // Readings of this moment are stored shortly after they were matched, so the remembered ones may be newer.
  for (const [name, value] of known?.values ?? []) keepNewer({ attributes, values }, { name, ...value });
  // What this process has found and nobody has handled yet is newer than the tables.
  const { edge, last, handedAt, mismatchAt } =
    known?.key === key ? known : { edge: edgeOf(row), last: undefined, handedAt: 0, mismatchAt: 0 };
  const kept = { edge, last, handedAt, mismatchAt };
  return { id: row.id, device_pk: row.device_pk ?? 0, key, condition, attributes, values, ...kept, isClear: clearing(row) };
}

/** iot-behaviour 3.7.5: a value of the wrong kind is handed on once an hour, to be noted. */
function isMismatchDue(watched: Watched): boolean {
  if (!hasMismatch(watched.condition, watched.values) || Date.now() - watched.mismatchAt < mismatchEveryMs) return false;
  watched.mismatchAt = Date.now();
  return true;
}

/** Evaluates the condition after each time in the uplink at which one of its attributes was reported. */
function sample(watched: Watched, { points, assignedAt }: SeenUplink): Sample[] {
  const concerned = points.filter(({ name }) => watched.attributes.has(name));
  if (concerned.length === 0) return [];
  const moments = Map.groupBy(concerned, (point) => pointTime(point, assignedAt));
  return [...moments]
    .sort(([a], [b]) => a - b)
    .map(([at, reported]): Sample => {
      let isClear = true;
      for (const { name, kind, value, text } of reported) {
        keepNewer(watched, { name, kind, value, text, at });
        isClear = watched.isClear(value);
      }
      return { at, truth: holds(watched.condition, watched.values), isClear };
    });
}
