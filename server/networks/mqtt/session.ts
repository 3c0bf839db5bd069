import type { DeviceTopic } from '@telltale/domain/uplinks/topics.ts';
import type { Client } from 'aedes';
import type { Kysely } from 'kysely';
import type { DB } from '../../platform/database-types.ts';
import type { Logger } from '../../platform/log.ts';
import type { DeviceDirectory } from '../directory.ts';
import type { UplinkSink } from '../uplink-sink.ts';
import type { AckOrder } from './ack-order.ts';
import type { OnAck, Presence } from './presence.ts';
import type { FindUser, Principal } from './principal.ts';

/** What the broker needs from the house. */
export interface BrokerParts {
  directory: DeviceDirectory;
  uplinks: UplinkSink;
  presence: Presence;
  findUser: FindUser;
  onAck: OnAck;
  db: Kysely<DB>;
  log: Logger;
}

/** A connection that has been let in. */
export interface Session {
  client: Client;
  principal: Principal;
  connectedAt: number;
  acks: AckOrder;
  /** What the topics it uses mean, for the one it was when they were read. */
  routes: { of: Principal; meanings: Map<string, DeviceTopic> };
  /** What a filter became when it was narrowed. */
  narrowed: Map<string, string>;
}
