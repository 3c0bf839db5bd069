import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { type ListedUser, usersApi } from '@telltale/domain/users/contract.ts';
import { namedHost } from '../config.ts';
import { type ConsoleClient, postJson, signedIn } from '../demo/console-client.ts';
import { writeHistory } from '../demo/history.store.ts';
import { devicesOf, makeQueriesAndDashboards, makeRules, makeSites } from '../demo/objects.ts';
import { type DemoPerson, demoPeople } from '../demo/people.ts';
import { Simulator } from '../demo/simulator.ts';
import { sites } from '../demo/sites.ts';
import type { RunningRole, StartRole } from '../platform/role.ts';
import { createServices } from '../services.ts';

/** TELLTALE_DEMO: fills an empty console once, then simulates devices that report over MQTT. Everything uses the console's own API. */
export const start: StartRole = async ({ config, databaseUrl, secretKey, port, mqttPort, log }): Promise<RunningRole> => {
  const [admin, ...others] = demoPeople(secretKey);
  if (!admin) throw new Error('The demo has an administrator.');
  const origin = `http://${reachable(config.host)}:${port}`;
  const account = config.firstAdmin ?? admin;
  const client = await signedIn(origin, account.email, account.password).catch((error: Error) => {
    log.warn({ err: error.message }, 'this console has an administrator of its own: the demo leaves it alone');
    return null;
  });
  if (!client) return { stop: async () => {} };
  const channelIds = async () => {
    const known = await client.call(channelsApi.list, { query: {} });
    return (Array.isArray(known) ? known : known.results).map(({ channel_id }) => channel_id);
  };
  if (!(await isFilled(client, others))) {
    const begun = performance.now();
    const { services, close } = createServices({ databaseUrl, config, secretKey, log, name: 'demo', connections: 4 });
    try {
      await makeSites(client);
      // Scheduled queries run as soon as they exist: the history has to be there before them, or their first results are empty.
      await writeHistory(services.db, log, sites);
      await makeQueriesAndDashboards(client);
      await makeRules(client);
      // The last of them is made last of all: with everybody there the demo is complete.
      for (const person of others) await invite(client, origin, person);
    } finally {
      await close();
    }
    log.info({ seconds: Math.round((performance.now() - begun) / 100) / 10 }, 'the demo is filled');
  }
  const made = await channelIds();
  const simulator = mqttPort === undefined ? null : new Simulator(`mqtt://${reachable(config.mqtt.host)}:${mqttPort}`, log);
  for (const site of sites.filter(({ kind, channel_id }) => kind === 'mqtt' && made.includes(channel_id))) {
    const keys = new Map((await devicesOf(client, site)).map((device) => [device.device_id, device]));
    for (const [index, device] of site.devices.entries()) {
      const credentials = keys.get(device.device_id);
      if (credentials) simulator?.add(site, device, credentials, index);
    }
  }
  return { stop: async () => simulator?.stop() };
};

/** The address of a listener, seen from this machine. */
const reachable = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : namedHost(host));

const operators = 'Operators';
const isOperator = (email: string) => email.startsWith('carla');

/** Whether everybody of the demo can sign in; a fill that was killed goes on where it stopped. */
async function isFilled(client: ConsoleClient, people: readonly DemoPerson[]): Promise<boolean> {
  const { results } = await client.call(usersApi.list, { query: { page_size: 250 } });
  const isReady = ({ is_invitation_pending, groups, email }: ListedUser) =>
    !is_invitation_pending && (!isOperator(email) || groups.some(({ name }) => name === operators));
  return people.every(({ email }) => results.some((one) => one.email === email && isReady(one)));
}

/** Somebody who accepts the invitation at once; the operator may look and send, not query. */
async function invite(client: ConsoleClient, origin: string, { name, email, password }: DemoPerson): Promise<void> {
  const pending = (await client.call(usersApi.list, { query: { page_size: 250, pending: 'true' } })).results.find(
    (one) => one.email === email,
  );
  if (pending) await client.call(usersApi.remove, { params: { id: pending.id } });
  const known = pending
    ? undefined
    : (await client.call(usersApi.list, { query: { page_size: 250 } })).results.find((one) => one.email === email);
  const id = known?.id ?? (await accepted(client, origin, { name, email, password }));
  if (!isOperator(email)) return;
  const reply = await client.call(groupsApi.list, { query: {} });
  const groups = Array.isArray(reply) ? reply : reply.results;
  const group = groups.find((one) => one.name === operators) ?? (await client.call(groupsApi.create, { body: { name: operators } }));
  await client.call(groupsApi.save, {
    params: { id: group.id },
    body: { permissions: ['view_channel', 'send_command', 'list_dashboards', 'list_alerts'] },
  });
  await client.call(usersApi.save, { params: { id }, body: { group_ids: [group.id] } });
}

async function accepted(client: ConsoleClient, origin: string, { name, email, password }: Omit<DemoPerson, 'role'>): Promise<number> {
  const made = await client.call(usersApi.create, { query: {}, body: { name, email } });
  if (!made.invite_link) throw new Error('An invitation without mail carries its link.');
  const address = made.invite_link.startsWith('/') ? `${origin}${made.invite_link}` : `${origin}${new URL(made.invite_link).pathname}`;
  await postJson(address, { password });
  return made.id;
}
