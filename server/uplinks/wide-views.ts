import { type Kysely, sql } from 'kysely';
import type { DB } from '../platform/database-types.ts';
import type { Logger } from '../platform/log.ts';

interface ChannelAttributes {
  pk: number;
  channel_id: string;
  attributes: { id: number; name: string; isText: boolean }[];
}

/** design 8: a view can only append columns, so the first ones seen stay. */
const mostColumns = 200;
const longestName = 63;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const wideViewName = (channelId: string) => `channel_${channelId.replaceAll('-', '_')}`;

/** Names as columns: cut to what PostgreSQL keeps, each one unique, and never one of our own. */
export function columnNames(names: readonly string[]): string[] {
  const taken = new Set(['time', 'device_id']);
  return names.map((name) => {
    const wanted = taken.has(name) && (name === 'time' || name === 'device_id') ? `attr_${name}` : name;
    let column = cut(wanted, longestName);
    for (let n = 2; taken.has(column); n++) column = `${cut(wanted, longestName - String(n).length - 1)}_${n}`;
    taken.add(column);
    return column;
  });
}

function cut(name: string, bytes: number): string {
  let kept = name;
  while (Buffer.byteLength(kept) > bytes) kept = [...kept].slice(0, -1).join('');
  return kept;
}

/** One row per device and moment, one column per attribute. */
function wideViewText({ pk, channel_id, attributes }: ChannelAttributes): string {
  const columns = columnNames(attributes.map(({ name }) => name));
  const cells = attributes.map(
    ({ id, isText }, place) =>
      `, max(point.${isText ? 'value_text' : 'value'}) filter (where point.attribute_id = ${id}) as ${quoted(columns[place] ?? '')}`,
  );
  return `create or replace view app.${quoted(wideViewName(channel_id))} as
    select point.time, device.device_id${cells.join('\n')}
    from telemetry.metric_point point join telemetry.device on device.id = point.device_pk and device.deleted_at is null
    where device.channel_pk = ${pk} group by point.time, device.device_id`;
}

/** Keeps one wide view per channel in step with what its devices report. */
export class WideViews {
  readonly #db: Kysely<DB>;
  readonly #log: Logger;
  readonly #made = new Map<string, string>();
  #seen = '';

  constructor(db: Kysely<DB>, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** A look that costs nothing while nothing has changed. */
  async keep(): Promise<void> {
    const { rows } = await sql<{ seen: string }>`
      select (select coalesce(max(id), 0) from telemetry.attribute) || ' ' ||
        (select coalesce(max(id), 0) || ' ' || count(*) filter (where deleted_at is null) from telemetry.channel) as seen`.execute(
      this.#db,
    );
    const seen = rows[0]?.seen ?? '';
    if (seen === this.#seen) return;
    const channels = await this.#channels();
    let isComplete = true;
    for (const channel of channels) isComplete = (await this.#make(channel)) && isComplete;
    isComplete = (await this.#dropOthers(channels.map(({ channel_id }) => wideViewName(channel_id)))) && isComplete;
    if (isComplete) this.#seen = seen;
  }

  async #channels(): Promise<ChannelAttributes[]> {
    const { rows } = await sql<ChannelAttributes>`
      select channel.id as pk, channel_id, coalesce(found.attributes, '[]') as attributes
      from telemetry.channel left join lateral (
        select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'isText', kind_seen::text in ('s', 'j')) order by id) as attributes
        from (select * from telemetry.attribute where channel_pk = channel.id order by id limit ${mostColumns}) first) found on true
      where deleted_at is null`.execute(this.#db);
    return rows;
  }

  async #make(channel: ChannelAttributes): Promise<boolean> {
    const text = wideViewText(channel);
    const name = wideViewName(channel.channel_id);
    if (this.#made.get(name) === text) return true;
    const isMade = (await this.#run([text])) || (await this.#run([`drop view if exists app.${quoted(name)}`, text]));
    if (isMade) this.#made.set(name, text);
    return isMade;
  }

  async #dropOthers(names: string[]): Promise<boolean> {
    const { rows } = await sql<{ name: string }>`
      select viewname as name from pg_views where schemaname = 'app' and viewname ~ '^channel_' and not viewname = any(${names}::text[])`.execute(
      this.#db,
    );
    let isComplete = true;
    for (const { name } of rows) {
      this.#made.delete(name);
      isComplete = (await this.#run([`drop view if exists app.${quoted(name)}`])) && isComplete;
    }
    return isComplete;
  }

  /** Somebody may be reading it: then the next look tries again. */
  async #run(statements: string[]): Promise<boolean> {
    try {
      await this.#db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = '200ms'`.execute(tx);
        for (const text of statements) await sql.raw(text).execute(tx);
      });
      return true;
    } catch (error) {
      this.#log.debug({ err: error instanceof Error ? error.message : String(error) }, 'a wide view could not be changed yet');
      return false;
    }
  }
}
