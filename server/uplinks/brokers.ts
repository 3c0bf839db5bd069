import type { Db } from '../platform/database.ts';
import { brokerFigures, countBrokers } from './brokers.store.ts';

export {
  announceBroker,
  brokerFigures,
  findBrokerPort,
  isBrokerAlive,
  reportBroker,
  withdrawBroker,
} from './brokers.store.ts';

/** The figures of all live brokers for System Status, by the names of its contract. */
export async function brokerStatus(db: Db): Promise<{ running: number; connections: number; denied: number; held_bytes: number }> {
  const [{ connections, denied, heldBytes }, running] = await Promise.all([brokerFigures(db), countBrokers(db)]);
  return { running, connections, denied, held_bytes: heldBytes };
}
