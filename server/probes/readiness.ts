import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../platform/context.ts';
import { aliveRoles } from '../platform/process-registry.ts';
import { roleNames } from '../platform/role.ts';
import { isBrokerAlive } from '../uplinks/brokers.ts';
import { countMigrations } from './probes.store.ts';

const expected = readdirSync(new URL('../migrations/', import.meta.url)).filter((name) => name.endsWith('.sql')).length;

/** A database that does not answer in time counts as absent; the probe must answer within five seconds. */
const timeoutMs = 3000;

export type Check = 'ok' | string;

const ok = (holds: boolean, otherwise: string): Check => (holds ? 'ok' : otherwise);

/** design 3: database, migrations, the broker unless it is switched off, and a live process of every role. */
export async function readiness(ctx: Ctx): Promise<{ ready: boolean; checks: Record<string, Check> }> {
  const away = { database: 'not reachable' };
  const waiting = new AbortController();
  const silence = delay(timeoutMs, away, { signal: waiting.signal }).catch(() => away);
  const checks: Record<string, Check> = await Promise.race([readChecks(ctx).catch(() => away), silence]);
  waiting.abort();
  return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
}

const isBrokerWanted = ({ config }: Ctx) => config.mqtt.port !== 0 || config.mqtt.tls !== undefined || config.mqtt.url !== undefined;

async function readChecks(ctx: Ctx): Promise<Record<string, Check>> {
  const applied = await countMigrations(ctx.db);
  const alive = await aliveRoles(ctx.db);
  return {
    database: 'ok',
    migrations: ok(applied >= expected, 'not complete'),
    ...(isBrokerWanted(ctx) ? { broker: ok(await isBrokerAlive(ctx.db), 'not listening') } : {}),
    ...Object.fromEntries(roleNames.map((role) => [role, ok(alive.has(role), 'not running')])),
  };
}
