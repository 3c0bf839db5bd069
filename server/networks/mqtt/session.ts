import type { DeviceTopic } from '@telltale/domain/uplinks/topics.ts';
import type { Client } from 'aedes';
import type { Kysely } from 'kysely';
import type { DB } from '../../platform/database-types.ts';
import type { Logger } from '../../platform/log.ts';
import type { DeviceDirectory } from '../directory.ts';
import type { UplinkSink } from '../uplink-sink.ts';
import { AckOrder } from './ack-order.ts';
import type { Attempts } from './attempts.ts';
import type { OnAck, Presence } from './presence.ts';
import type { FindUser, Principal } from './principal.ts';

/** The parts of the server that the broker uses. */
export interface BrokerParts {
  directory: DeviceDirectory;
  uplinks: UplinkSink;
  presence: Presence;
  findUser: FindUser;
  onAck: OnAck;
  /** Sessions that are remembered for one key; 0 is no limit. */
  keptSessions: number;
  /** Failed sign-ins, if they are counted elsewhere, too. */
  attempts?: Attempts;
  /** How many may be connected at once; tests have fewer. */
  mostConnections?: number;
  db: Kysely<DB>;
  log: Logger;
}

/** An authenticated connection. */
export interface Session {
  client: Client;
  principal: Principal;
  connectedAt: number;
  acks: AckOrder;
  /** Messages with QoS 1 or 2 that wait for their acknowledgement. */
  unacknowledged: number;
  /** Caches topics that were parsed. The entries are valid for the principal `of` only. */
  routes: { of: Principal; meanings: Map<string, DeviceTopic> };
  /** Filters that were narrowed, with their narrowed form. */
  narrowed: Map<string, string>;
  /** The id of the SUBSCRIBE that is being looked at. */
  subscribeId?: number | undefined;
  /** It subscribed to commands, and has had a moment to get ready. */
  isListening?: boolean;
}

export const newSession = (client: Client, principal: Principal): Session => ({
  client,
  principal,
  connectedAt: Date.now(),
  acks: new AckOrder(),
  unacknowledged: 0,
  routes: { of: principal, meanings: new Map() },
  narrowed: new Map(),
});
