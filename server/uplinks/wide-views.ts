import type { Kysely } from 'kysely';
import type { DB } from '../platform/database-types.ts';
import type { Logger } from '../platform/log.ts';
import { type ChannelAttributes, changeViews, listChannelAttributes, listOtherViews, readAttributeMark } from './wide-views.store.ts';

/** design 8: a view can only append columns, so the first ones seen stay. */
const mostColumns = 200;
const longestName = 63;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const wideViewName = (channelId: string) => `channel_${channelId.replaceAll('-', '_')}`;

/** Column names: cut to PostgreSQL's limit, each one unique, and never one of our own. */
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

/** The view: one row per device and time, one column per attribute. */
function wideViewText({ pk, channel_id, attributes }: ChannelAttributes): string {
  const columns = columnNames(attributes.map(({ name }) => name));
  const cells = attributes.map(
    ({ id, isText }, place) =>
      `, max(point.${isText ? 'value_text' : 'value'}) filter (where point.attribute_id = ${id}) as ${quoted(columns[place] ?? '')}`,
  );
  return `create or replace view app.${quoted(wideViewName(channel_id))} with (security_barrier) as
    select point.time, device.device_id${cells.join('\n')}
    from telemetry.metric_point point join telemetry.device on device.id = point.device_pk and device.deleted_at is null
    where device.channel_pk = ${pk} and coalesce(${pk} = any((select console.reader_channels())::int[]), true)
    group by point.time, device.device_id`;
}

/** Keeps one wide view per channel up to date with the attributes of its devices. */
export class WideViews {
  readonly #db: Kysely<DB>;
  readonly #log: Logger;
  readonly #made = new Map<string, string>();
  #seen = '';

  constructor(db: Kysely<DB>, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Costs nothing while nothing has changed. */
  async keep(): Promise<void> {
    const seen = await readAttributeMark(this.#db);
    if (seen === this.#seen) return;
    const channels = await listChannelAttributes(this.#db, mostColumns);
    let isComplete = true;
    for (const channel of channels) isComplete = (await this.#make(channel)) && isComplete;
    isComplete = (await this.#dropOthers(channels.map(({ channel_id }) => wideViewName(channel_id)))) && isComplete;
    if (isComplete) this.#seen = seen;
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
    let isComplete = true;
    for (const name of await listOtherViews(this.#db, names)) {
      this.#made.delete(name);
      isComplete = (await this.#run([`drop view if exists app.${quoted(name)}`])) && isComplete;
    }
    return isComplete;
  }

  /** Runs the statements; false when a reader holds a lock, and the next round tries again. */
  async #run(statements: string[]): Promise<boolean> {
    try {
      await changeViews(this.#db, statements);
      return true;
    } catch (error) {
      this.#log.debug({ err: error instanceof Error ? error.message : String(error) }, 'a wide view could not be changed yet');
      return false;
    }
  }
}
