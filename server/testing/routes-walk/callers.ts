import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { testApp } from '../test-app.ts';

export const app = await testApp();
export const plain = await app.make.user();
export const powerless = await app.make.user({ groups: [] });
export const admin = app.as(app.admin);
let made = 0;
export const nextNumber = () => ++made;
/** A source that the default group may use; no query ever runs on it here. */
export const makeSource = () =>
  admin.get(dataSourcesApi.create, {
    body: { name: `Source ${nextNumber()}`, type: 'pg', options: { host: '203.0.113.1', dbname: 'none' } },
  });
const makeQuery = async (data_source_id: number) => {
  const { id } = await admin.get(queriesApi.create, { body: { name: 'A query', query: 'select 1', data_source_id } });
  const { api_key = '' } = (await admin.get(queriesApi.get, { params: { id } })) as { api_key?: string };
  return { id, api_key };
};
export const source = await makeSource();
/** The query whose key is used in the walk, and another one whose key gives no access to it. */
export const [query, otherQuery] = [await makeQuery(source.id), await makeQuery(source.id)];

export const callers = {
  anonymous: app.anonymous(),
  powerless: app.as(powerless),
  plain: app.as(plain),
  admin,
};
type Caller = keyof typeof callers;
export const names = Object.keys(callers) as Caller[];

export interface Call {
  params?: Record<string, string | number>;
  body?: unknown;
}

interface Expectation {
  /** The answers to an anonymous caller, a user without any permission, a plain user and an administrator. */
  answers: [number, number, number, number];
  /** The answer to the key of the query that the address names; elsewhere a query's key counts as anonymous. */
  key?: number;
  call?: () => Promise<Call> | Call;
}

/** By method and path. */
export type Expectations = Record<string, Expectation>;

export const everybody = (status: number, call?: Expectation['call']): Expectation => ({ answers: [status, status, status, status], call });
export const signedIn = (status: number, call?: Expectation['call']): Expectation => ({ answers: [404, status, status, status], call });
export const admins = (status: number, call?: Expectation['call']): Expectation => ({ answers: [404, 403, 403, status], call });
export const listers = (status: number, call?: Expectation['call']): Expectation => ({ answers: [404, 403, status, status], call });
export const withBody = (make: () => Promise<Call> | Call, body: unknown) => async () => ({ ...(await make()), body });

export const aGroup = async () => ({ params: { id: (await app.make.group()).id } });
export const aChannel = async () => ({
  params: { id: (await admin.get(channelsApi.create, { body: { channel_id: `walk-${nextNumber()}` } })).channel_id },
});
export const unknownToken = () => ({ params: { token: 'x'.repeat(43) }, body: { password: 'long enough' } });
