import { stateTopic } from '@telltale/domain/uplinks/topics.ts';
import type { Client } from 'aedes';
import { sql } from 'kysely';
import type { Db } from '../../platform/database.ts';
import { isMatch } from './persistence.ts';
import { isInReach, type UserReader } from './principal.ts';
import type { Session } from './session.ts';

/** A subscriber that reads too slowly misses messages: they have QoS 0, and the broker does not wait. */
const mostUnreadBytes = 256 * 1024;
const mostStates = 10_000;
export const mostFilters = 1000;

interface Onlooker {
  /** Its principal is read at each message, because the channels of a user may have changed. */
  session: Session;
  filters: Set<string>;
}

/**
 * iot-behaviour 1.2: users who watch with a key of theirs. They get the messages of devices after these are on disk, of those channels
 * that they reach.
 */
export class UserSubscribers {
  readonly #onlookers = new Map<Client, Onlooker>();

  get count(): number {
    return this.#onlookers.size;
  }

  join(session: Session): void {
    this.#onlookers.set(session.client, { session, filters: new Set() });
  }

  leave(client: Client): void {
    this.#onlookers.delete(client);
  }

  /** Returns false when there are too many filters. */
  watch(client: Client, filter: string): boolean {
    const filters = this.#onlookers.get(client)?.filters;
    if (!filters || filters.size >= mostFilters) return false;
    filters.add(filter);
    return true;
  }

  unwatch(client: Client, filters: readonly string[]): void {
    for (const filter of filters) this.#onlookers.get(client)?.filters.delete(filter);
  }

  show(topic: string, payload: string | Buffer): void {
    const channelId = topic.split('/')[1] ?? '';
    for (const [client, { session, filters }] of this.#onlookers) {
      const { principal } = session;
      if (principal.kind !== 'user' || !isInReach(principal.user, channelId)) continue;
      if ([...filters].some((filter) => isMatch(topic, filter))) tell(client, topic, payload, false);
    }
  }

  /** iot-behaviour 1.7: the last states of devices are the only retained messages, and only these subscribers get them. */
  async showStates(db: Db, client: Client, { channel_ids }: UserReader, filters: readonly string[]): Promise<void> {
    const reached = channel_ids && [...channel_ids];
    const { rows } = await sql<{ channel_id: string; device_id: string; state: string }>`
      select channel_id, device_id, state.state::text as state
      from telemetry.device_state state join telemetry.device on device.id = state.device_pk and device.deleted_at is null
      join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
      where state.state is not null and (${reached}::text[] is null or channel_id = any(${reached}::text[])) order by state_at desc limit ${mostStates}`.execute(
      db,
    );
    for (const { channel_id, device_id, state } of rows) {
      const topic = stateTopic(channel_id, device_id);
      if (filters.some((filter) => isMatch(topic, filter))) tell(client, topic, state, true);
    }
  }
}

function tell(client: Client, topic: string, payload: string | Buffer, retain: boolean): void {
  if (client.closed || client.conn.writableLength > mostUnreadBytes) return;
  client.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain }, () => {});
}
