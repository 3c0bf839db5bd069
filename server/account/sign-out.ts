import { noteSignIn } from '../audit/audit.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { endSession } from '../session/sessions.ts';
import { methods } from './methods/index.ts';

/** Ends the session. Answers where the browser must go to be signed out at the provider, too; undefined when there is no such place. */
export async function signOut(ctx: HttpCtx): Promise<string | undefined> {
  const ended = await endSession(ctx);
  if (!ended) return undefined;
  await noteSignIn(ctx, 'logout');
  if (!ended.provider || !ended.id_token_sealed) return undefined;
  const method = methods.find(({ kind }) => kind === ended.provider);
  try {
    return await method?.signOutAddress?.(ctx, ctx.secrets.open(ended.id_token_sealed));
  } catch (error) {
    // Telltale signs the person out even if the provider fails to.
    ctx.log.warn({ err: error, method: ended.provider }, 'the provider could not be asked for its sign-out address');
    return undefined;
  }
}
