import { tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { randomKey } from '../platform/secrets.ts';
import { countAttempt, networkOf } from './attempts.ts';
import { hasFlow, insertFlow, readSealed, takeOfAnyBrowser, takeSealed } from './flows.store.ts';

/**
 * A sign-in that is under way. Its data are stored here, sealed, and belong to the browser that began it: a victim cannot be made to finish
 * a sign-in that an attacker began (login CSRF), and no answer of a provider works twice.
 */
export type FlowMethod = 'google' | 'oidc' | 'saml' | 'saml-finish' | 'second-factor' | 'passkey' | 'passkey-new';

const browserCookie = 'sign_in';
const lifeSeconds = 10 * 60;

const idHash = (ctx: HttpCtx, method: FlowMethod, id: string) => ctx.secrets.hash('sign-in flow', `${method} ${id}`);

function browserHash(ctx: HttpCtx): Buffer {
  const known = ctx.cookies.get(browserCookie);
  const value = known && /^\w{43}$/.test(known) ? known : randomKey(43);
  ctx.cookies.set(browserCookie, value, { httpOnly: true, maxAge: lifeSeconds });
  return ctx.secrets.hash('sign-in flow', `browser ${value}`);
}

/** Anybody may begin a flow, so one address must not fill the table. */
const mostPerHour = 2000;

export async function beginFlow(ctx: HttpCtx, method: FlowMethod, id: string, data: object): Promise<void> {
  if ((await countAttempt(ctx.db, 'flow address', networkOf(ctx.request.address), 3600)) > mostPerHour)
    throw tooMany('Too many attempts to sign in from this address. Please try again in an hour.');
  await insertFlow(ctx.db, {
    id_hash: idHash(ctx, method, id),
    method,
    browser_hash: browserHash(ctx),
    sealed: ctx.secrets.seal(JSON.stringify(data)),
    lifeSeconds,
  });
}

const open = <T>(ctx: HttpCtx, sealed: Buffer | undefined): T | undefined =>
  sealed ? (JSON.parse(ctx.secrets.open(sealed)) as T) : undefined;

const ofBrowser = (ctx: HttpCtx) => ctx.secrets.hash('sign-in flow', `browser ${ctx.cookies.get(browserCookie) ?? ''}`);

/** Takes the data of this browser's flow, once: the second of two concurrent answers gets none. */
export const takeFlow = async <T extends object>(ctx: HttpCtx, method: FlowMethod, id: string): Promise<T | undefined> =>
  open<T>(ctx, await takeSealed(ctx.db, idHash(ctx, method, id), ofBrowser(ctx)));

/** Reads the data and keeps them: a mistyped code may be corrected. */
export const readFlow = async <T extends object>(ctx: HttpCtx, method: FlowMethod, id: string): Promise<T | undefined> =>
  open<T>(ctx, await readSealed(ctx.db, idHash(ctx, method, id), ofBrowser(ctx)));

export const isFlowOpen = (ctx: HttpCtx, method: FlowMethod, id: string): Promise<boolean> => hasFlow(ctx.db, idHash(ctx, method, id));

const ticketSeconds = 60;

/**
 * Browsers leave out our cookie when another site posts to us. The flow is then renewed under a ticket for a minute, still bound to its own
 * browser, which sends the ticket from a page of ours. `added` joins what the flow began with. Undefined when the flow was taken already.
 */
export const renewFlow = (ctx: HttpCtx, from: FlowMethod, id: string, to: FlowMethod, added: object): Promise<string | undefined> =>
  ctx.transaction(async (tx) => {
    const begun = await takeOfAnyBrowser(tx.db, idHash(tx, from, id));
    if (!begun) return undefined;
    const ticket = randomKey(43);
    await insertFlow(tx.db, {
      id_hash: idHash(tx, to, ticket),
      method: to,
      browser_hash: begun.browser_hash,
      sealed: tx.secrets.seal(JSON.stringify({ ...open<object>(tx, begun.sealed), ...added })),
      lifeSeconds: ticketSeconds,
    });
    return ticket;
  });
