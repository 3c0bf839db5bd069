import type { Network, NetworkName, NetworkType } from '@telltale/domain/networks/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export interface NetworkRow
  extends Columns<'networks', 'id' | 'name' | 'options_sealed' | 'webhook_secret_sealed' | 'client_id' | 'version' | 'created_at'> {
  type: NetworkType;
  is_disabled: boolean;
  state: Network['state'];
  last_error: string | null;
  are_credentials_refused: boolean;
  last_message_at: string | null;
  downlink_url: string | null;
  downlink_key_sealed: Buffer | null;
  channels: number;
}

async function select(db: Db, where: RawBuilder<unknown>): Promise<NetworkRow[]> {
  const { rows } = await sql<NetworkRow>`
    select id, name, type, options_sealed, webhook_secret_sealed, client_id, disabled_at is not null as is_disabled, version,
      case when disabled_at is not null then 'disabled' else coalesce(state, 'connecting') end as state, last_error, last_message_at,
      coalesce(are_credentials_refused, false) as are_credentials_refused, downlink_url, downlink_key_sealed, created_at,
      (select count(*) from channel_settings settings join telemetry.channel on channel.id = settings.channel_pk
       where settings.network_id = networks.id and channel.deleted_at is null)::int as channels
    from networks left join network_states on network_id = networks.id where ${where} order by lower(name), id`.execute(db);
  return rows;
}

export const listNetworkRows = (db: Db) => select(db, sql`true`);
export const findNetworkRow = async (db: Db, id: number): Promise<NetworkRow | undefined> => (await select(db, sql`id = ${id}`))[0];

export async function listNetworkNames(db: Db): Promise<NetworkName[]> {
  return (await sql<NetworkName>`select id, name, type from networks order by lower(name), id`.execute(db)).rows;
}

/** Channels that are bound to networks, by their keys. */
export async function listBindings(db: Db): Promise<{ channel_pk: number; network_id: number; application_id: string | null }[]> {
  const { rows } = await sql<{ channel_pk: number; network_id: number; application_id: string | null }>`
    select channel_pk, network_id, application_id from channel_settings where network_id is not null`.execute(db);
  return rows;
}

interface SavedNetwork {
  name: string;
  type: string;
  options_sealed: Buffer;
  is_disabled: boolean;
}

/** Returns undefined when the name is taken. */
export async function insertNetwork(
  db: Db,
  network: SavedNetwork & { org_id: number; webhook_secret_sealed: Buffer; client_id: string },
): Promise<number | undefined> {
  const { rows } = await sql<Columns<'networks', 'id'>>`
    insert into networks (org_id, name, type, options_sealed, webhook_secret_sealed, client_id, disabled_at)
    values (${network.org_id}, ${network.name}, ${network.type}, ${network.options_sealed}, ${network.webhook_secret_sealed},
      ${network.client_id}, case when ${network.is_disabled} then now() end)
    on conflict (org_id, lower(name)) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** Locks the row: other changes of this network wait for the end of this transaction. */
export const lockNetwork = (db: Db, id: number) => sql`select from networks where id = ${id} for update`.execute(db);

/** Returns false when another network has the name. */
export async function updateNetwork(db: Db, id: number, network: SavedNetwork & { isElsewhere: boolean }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update networks set name = ${network.name}, type = ${network.type}, options_sealed = ${network.options_sealed},
      disabled_at = case when ${network.is_disabled} then coalesce(disabled_at, now()) end,
      version = version + ${network.isElsewhere ? 1 : 0}, updated_at = now()
    where id = ${id} and not exists (
      select from networks other where other.org_id = networks.org_id and lower(other.name) = lower(${network.name}) and other.id <> ${id})`.execute(
    db,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

/** Resets the state: what the old connection left does not apply to the new one. */
export const forgetState = (db: Db, id: number) =>
  sql`
    update network_states set state = 'connecting', last_error = null, are_credentials_refused = false, downlink_url = null,
      downlink_key_sealed = null, updated_at = now()
    where network_id = ${id}`.execute(db);

export const setWebhookSecret = (db: Db, id: number, sealed: Buffer) =>
  sql`update networks set webhook_secret_sealed = ${sealed}, updated_at = now() where id = ${id}`.execute(db);

export const deleteNetwork = (db: Db, id: number) => sql`delete from networks where id = ${id}`.execute(db);

/** Writes the state, unless the network was deleted meanwhile. */
export const writeState = (db: Db, id: number, state: 'connecting' | 'connected' | 'error', lastError: string | null) =>
  sql`
    insert into network_states (network_id, state, last_error) select id, ${state}, ${lastError} from networks where id = ${id}
    on conflict (network_id) do update set state = excluded.state, last_error = coalesce(excluded.last_error,
      case when excluded.state = 'connected' then null else network_states.last_error end),
      are_credentials_refused = network_states.are_credentials_refused and excluded.state <> 'connected', updated_at = now()`.execute(db);

/** Records a fault that does not affect the connection. */
export const writeFault = (db: Db, id: number, lastError: string) =>
  sql`
    insert into network_states (network_id, last_error) select id, ${lastError} from networks where id = ${id}
    on conflict (network_id) do update set last_error = excluded.last_error, updated_at = now()`.execute(db);

/** Clears the error if it is the one that begins like this. */
export const clearFault = (db: Db, id: number, beginning: string) =>
  sql`update network_states set last_error = null where network_id = ${id} and starts_with(last_error, ${beginning})`.execute(db);

/** Records that the network refuses our credentials for downlinks (iot-behaviour 3.8): the page of the network and its channels say so. */
export const writeRefusal = (db: Db, id: number, lastError: string) =>
  sql`
    insert into network_states (network_id, last_error, are_credentials_refused) select id, ${lastError}, true from networks where id = ${id}
    on conflict (network_id) do update set last_error = excluded.last_error, are_credentials_refused = true, updated_at = now()`.execute(
    db,
  );

/** The network takes downlinks again; another fault, which was written since, stays. */
export const clearRefusal = (db: Db, id: number, lastError: string) =>
  sql`
    update network_states set are_credentials_refused = false, last_error = nullif(last_error, ${lastError})
    where network_id = ${id}`.execute(db);

export const writeLastMessage = (db: Db, id: number, at: Date) =>
  sql`
    insert into network_states (network_id, last_message_at) select id, ${at.toISOString()} from networks where id = ${id}
    on conflict (network_id) do update set last_message_at = greatest(network_states.last_message_at, excluded.last_message_at)`.execute(
    db,
  );

export const writeDownlinkWay = (db: Db, id: number, url: string, keySealed: Buffer | null) =>
  sql`
    insert into network_states (network_id, downlink_url, downlink_key_sealed) select id, ${url}, ${keySealed} from networks where id = ${id}
    on conflict (network_id) do update set downlink_url = excluded.downlink_url, downlink_key_sealed = excluded.downlink_key_sealed`.execute(
    db,
  );
