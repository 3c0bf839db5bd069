import { Counter, Gauge } from 'prom-client';
import type { Db } from '../platform/database.ts';
import { metrics } from '../platform/http/metrics.ts';
import { brokerFigures } from './brokers.ts';
import { uplinkFigures } from './gone-writers.ts';

const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Counter({ name: `telltale_uplinks_${name}_total`, help, labelNames, registers: [metrics] });

const received = counter('received', 'Messages that devices sent and that were dealt with: stored, duplicate or rejected.');
const stored = counter('stored', 'Messages that were stored, with or without a part left out.');
const duplicate = counter('duplicate', 'Messages that had been stored before.');
const rejected = counter('rejected', 'Messages that cannot be stored, by reason.', ['code']);

const gauge = (name: string, help: string) => new Gauge({ name: `telltale_mqtt_${name}`, help, registers: [metrics] });
const connections = gauge('connections', 'MQTT connections that are open.');
const held = gauge('held_bytes', 'What of uplinks waits for its acknowledgement.');
const denied = new Counter({
  name: 'telltale_mqtt_acl_denied_total',
  help: 'Publishes where the sender may not, of the brokers that are running.',
  registers: [metrics],
});

/** design 8: the figures of all processes, as far as they are committed. */
export async function readUplinkMetrics(db: Db): Promise<void> {
  const figures = await uplinkFigures(db);
  for (const each of [received, stored, duplicate, rejected, denied]) each.reset();
  received.inc(figures.received);
  stored.inc(figures.stored);
  duplicate.inc(figures.duplicate);
  const brokers = await brokerFigures(db);
  connections.set(brokers.connections);
  held.set(brokers.heldBytes);
  denied.inc(brokers.denied);
  for (const [code, count] of Object.entries(figures.rejected)) rejected.inc({ code }, count);
}
