import type { UserReader } from '../networks/mqtt/principal.ts';
import type { Services } from '../platform/context.ts';
import { may, whereMay } from '../policy/policy.ts';
import { findPersonByKey } from '../session/sessions.store.ts';
import { listChannelIds } from '../uplinks/directory.store.ts';

/** iot-behaviour 1.2: the person of an API key, and the channels that the policy lets them read over MQTT now. */
export async function findReader({ db, secrets }: Services, apiKey: string): Promise<UserReader | undefined> {
  const person = await findPersonByKey(db, secrets.hash('api key', apiKey));
  if (!person) return undefined;
  const who = { kind: 'user', ...person, via: 'key', session_id: null } as const;
  const channel_ids = may(who, 'reach_all', 'channel') ? null : new Set(await listChannelIds(db, whereMay(who, 'reach', 'channel')));
  return { id: person.id, mayView: may(who, 'view', 'channel'), channel_ids };
}
