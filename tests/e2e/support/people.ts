import { type Group, groupsApi } from '@telltale/domain/groups/contract.ts';
import { type UserDetail, usersApi } from '@telltale/domain/users/contract.ts';
import { TestClient } from '../../../server/testing/client.ts';
import type { RunningConsole } from './console.ts';
import { fileConsole, firstAdmin } from './file-console.ts';
import type { Account } from './journey.ts';

export interface MadePerson extends Account {
  id: number;
  name: string;
}

export const admin = (): Account & { name: string } => firstAdmin;

/** Somebody who talks to the console of this file without a browser. */
export async function clientOf({ email, password }: Account): Promise<TestClient> {
  const client = new TestClient((await fileConsole()).url);
  const reply = await client.signIn(email, password);
  if (!reply.ok) throw new Error(`${email} could not sign in: ${await reply.text()}`);
  return client;
}

const adminClients = new WeakMap<RunningConsole, Promise<TestClient>>();

/** The administrator of this file's console, signed in once. */
export async function adminClient(): Promise<TestClient> {
  const console = await fileConsole();
  const client = adminClients.get(console) ?? clientOf(admin());
  adminClients.set(console, client);
  return client;
}

/** Invited by the administrator, not there yet. */
export async function invitePerson(name: string): Promise<UserDetail & { invite_link: string }> {
  const invited = await (await adminClient()).get(usersApi.create, { body: { name, email: emailOf(name) } });
  return { ...invited, invite_link: invited.invite_link ?? '' };
}

/** Invited, and has chosen a password. */
export async function makePerson(name: string, groups: readonly Pick<Group, 'id'>[] = []): Promise<MadePerson> {
  const invited = await invitePerson(name);
  const password = `the password of ${name}`;
  const accepted = await new TestClient((await fileConsole()).url).json('POST', invited.invite_link, { password });
  if (!accepted.ok) throw new Error(`${name} could not accept: ${await accepted.text()}`);
  if (groups.length > 0) {
    await (await adminClient()).get(usersApi.save, { params: { id: invited.id }, body: { group_ids: groups.map(({ id }) => id) } });
  }
  return { id: invited.id, name, email: invited.email, password };
}

export async function makeGroup(name: string, permissions?: Group['permissions']): Promise<Group> {
  const client = await adminClient();
  const group = await client.get(groupsApi.create, { body: { name } });
  const granted = permissions?.filter((one) => one !== 'admin' && one !== 'super_admin');
  return granted ? client.get(groupsApi.save, { params: { id: group.id }, body: { permissions: granted } }) : group;
}

const emailOf = (name: string) => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@people.example`;
