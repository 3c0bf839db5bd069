import { setTimeout as delay } from 'node:timers/promises';
import { dailyDays, dayMicros, dayOf, movedPointDays, retentionDays } from '@telltale/domain/uplinks/retention.ts';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../../platform/database-types.ts';
import type { Logger } from '../../platform/log.ts';

type Span = 'day' | 'week' | 'month';

/**
 * `days` is the retention of each table, `span` the range of one partition (iot-behaviour 1.8). Hours are few and kept for ever: months are
 * enough for them.
 */
const tables: Record<
  'uplink' | 'metric_point' | 'metric_minute' | 'metric_hour' | 'entry_id',
  { column: string; days: number; span: Span }
> = {
  uplink: { column: 'received_at', days: retentionDays.uplink, span: 'day' },
  metric_point: { column: 'time', days: retentionDays.point, span: 'week' },
  metric_minute: { column: 'bucket', days: retentionDays.minute, span: 'week' },
  metric_hour: { column: 'bucket', days: Number.POSITIVE_INFINITY, span: 'month' },
  entry_id: { column: 'received_at', days: retentionDays.entryId, span: 'day' },
};
export type PartitionedTable = keyof typeof tables;
const names = Object.keys(tables) as PartitionedTable[];

interface Partition {
  name: string;
  /** Days since 1970; the end is exclusive. */
  from: number;
  to: number;
  isDetaching: boolean;
}

/** What becomes of expired partitions beside being dropped. */
interface Leaving {
  /** The longest retention of any channel; null when one of them has the default. */
  longestDays?: number | null;
  moved?: ReadonlySet<string>;
  archive?: ((partition: string) => Promise<void>) | undefined;
}

/** Another process made the partition, or its lock was not available: worth another look. */
const passing = new Set(['42P07', '42P17', '23505', '55P03', '42710', '40P01', '55000', '42P16']);
const attempts = 40;
/** The number of days for which partitions are made ahead. */
const daysAhead = 2;

/** Messages are left to the sweep: a dropped partition of them would be archived first. */
const hasReadings = (table: PartitionedTable) => table.startsWith('metric_');

const dateOf = (day: number) => new Date((day * dayMicros) / 1000).toISOString().slice(0, 10);
const today = () => dayOf(Date.now() * 1000);

/**
 * design 9: partitions are added and removed without blocking writers. A new one is made apart, then attached, which waits for no lock; an
 * old one is detached by DETACH CONCURRENTLY before it is dropped.
 */
export class Partitions {
  readonly #db: Kysely<DB>;
  readonly #log: Logger;
  /** Days that are known to have a partition. */
  readonly #days: Record<PartitionedTable, Set<number>> = {
    uplink: new Set(),
    metric_point: new Set(),
    metric_minute: new Set(),
    metric_hour: new Set(),
    entry_id: new Set(),
  };

  constructor(db: Kysely<DB>, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  has(table: PartitionedTable, micros: number): boolean {
    return this.#days[table].has(dayOf(micros));
  }

  /** Called outside of any flush, while the messages for these days wait. */
  async ensure(table: PartitionedTable, days: Iterable<number>): Promise<void> {
    for (const day of days) if (!this.#days[table].has(day)) await this.#makeDay(table, day);
  }

  /** Drops the cache, because a cached partition does not exist any more. */
  forget(): void {
    for (const days of Object.values(this.#days)) days.clear();
  }

  async makeAhead(): Promise<void> {
    for (let day = today(); day <= today() + daysAhead; day++) {
      for (const table of names) await this.ensure(table, [day]);
    }
  }

  /** The partitions of a table that begin before a day, the oldest first. */
  async listBefore(table: PartitionedTable, day: number): Promise<Pick<Partition, 'name' | 'to'>[]> {
    const found = (await this.#list(table)).filter(({ from, isDetaching }) => from < day && !isDetaching);
    return found.sort((a, b) => a.from - b.from);
  }

  /**
   * `moved` names partitions whose readings ClickHouse has as well; `archive` stores messages elsewhere before they are dropped. What every
   * channel keeps for a shorter time is dropped then: that is better than deleting its rows.
   */
  async dropExpired(now = today(), { longestDays = null, moved = new Set(), archive }: Leaving = {}): Promise<void> {
    for (const table of names) {
      for (const partition of await this.#list(table)) {
        const isMoved = table === 'metric_point' && moved.has(partition.name);
        const days = Math.min(isMoved ? movedPointDays : tables[table].days, hasReadings(table) ? (longestDays ?? Infinity) : Infinity);
        if (partition.isDetaching) await this.#alter(table, `detach partition telemetry.${partition.name} finalize`);
        else if (partition.to <= now - days) {
          for (let day = partition.from; day < partition.to; day++) this.#days[table].delete(day);
          await this.#alter(table, `detach partition telemetry.${partition.name} concurrently`);
        }
      }
      await this.#dropDetached(table, table === 'uplink' ? archive : undefined);
    }
  }

  async #makeDay(table: PartitionedTable, day: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const existing = await this.#list(table);
      const found = existing.find(({ from, to }) => from <= day && day < to);
      if (found) {
        this.#days[table].add(day);
        return;
      }
      try {
        await this.#create(table, rangeFor(day, existing, today(), tables[table].span));
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!passing.has(code) || attempt >= attempts) throw error;
        await delay(25 + Math.random() * 50);
      }
    }
  }

  async #create(table: PartitionedTable, { from, to }: { from: number; to: number }): Promise<void> {
    const { column } = tables[table];
    const name = `${table}_${dateOf(from).replaceAll('-', '')}${to - from > 7 ? 'm' : to - from > 1 ? 'w' : ''}`;
    const range = `'${dateOf(from)} 00:00:00+00'`;
    const end = `'${dateOf(to)} 00:00:00+00'`;
    await this.#db.transaction().execute(async (tx) => {
      const run = (text: string) => sql.raw(text).execute(tx);
      await run(`set local lock_timeout = '200ms'`);
      await run(`create table telemetry.${name} (like telemetry.${table} including all,
        constraint in_range check (${column} >= ${range} and ${column} < ${end}))`);
      await run(`alter table telemetry.${table} attach partition telemetry.${name} for values from (${range}) to (${end})`);
      await run(`alter table telemetry.${name} drop constraint in_range`);
    });
    this.#log.info({ partition: name }, 'a partition was made');
  }

  async #list(table: PartitionedTable): Promise<Partition[]> {
    const { rows } = await sql<{ name: string; bound: string; isDetaching: boolean }>`
      select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bound, inhdetachpending as "isDetaching"
      from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = ${`telemetry.${table}`}::regclass`.execute(this.#db);
    return rows.map(({ name, bound, isDetaching }) => {
      const [from, to] = [...bound.matchAll(/'([^']+)'/g)].map(([, time]) =>
        Math.floor(Date.parse(`${time}`.replace(' ', 'T').replace(/\+00$/, 'Z')) / 86_400_000),
      );
      const isOpen = (side: string) => bound.includes(side);
      return {
        name,
        isDetaching,
        from: isOpen('(MINVALUE)') ? Number.NEGATIVE_INFINITY : (from ?? 0),
        to: isOpen('(MAXVALUE)') ? Number.POSITIVE_INFINITY : ((isOpen('(MINVALUE)') ? from : to) ?? 0),
      };
    });
  }

  /** Skips a partition that is being read or cannot be archived now: the next turn tries again. */
  async #dropDetached(table: PartitionedTable, archive?: Leaving['archive']): Promise<void> {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'telemetry' and relkind = 'r' and relname ~ ${`^${table}_\\d{8}[mw]?$`} and not relispartition`.execute(this.#db);
    for (const { name } of rows) {
      await this.#patiently(name, async () => {
        await archive?.(name);
        await this.#db.transaction().execute(async (tx) => {
          await sql`set local lock_timeout = '200ms'`.execute(tx);
          await sql.raw(`drop table telemetry.${name}`).execute(tx);
        });
      });
    }
  }

  #alter(table: PartitionedTable, action: string): Promise<void> {
    return this.#patiently(action, () => sql.raw(`alter table telemetry.${table} ${action}`).execute(this.#db));
  }

  async #patiently(what: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      this.#log.info({ partition: what }, 'a partition was let go');
    } catch (error) {
      this.#log.warn({ err: error instanceof Error ? error.message : String(error), partition: what }, 'a partition stays for now');
    }
  }
}

/**
 * The range of a new partition: the usual span of the table, a whole month where all of it is old, or a day where part of the range exists
 * already.
 */
export function rangeFor(
  day: number,
  existing: readonly { from: number; to: number }[],
  now = today(),
  span: Span = 'day',
): { from: number; to: number } {
  const [year = 0, month = 0] = dateOf(day).split('-').map(Number);
  const ofMonth = { from: Date.UTC(year, month - 1) / 86_400_000, to: Date.UTC(year, month) / 86_400_000 };
  const monday = day - ((day + 3) % 7); // 1970 began on a Thursday
  const ofWeek = { from: monday, to: monday + 7 };
  const isFree = (range: { from: number; to: number }) => !existing.some(({ from, to }) => from < range.to && to > range.from);
  if ((span === 'month' || ofMonth.to <= now - dailyDays) && isFree(ofMonth)) return ofMonth;
  return span === 'week' && isFree(ofWeek) ? ofWeek : { from: day, to: day + 1 };
}
