import type { NetworkTestReply } from '@telltale/domain/networks/contract.ts';
import { MqttLink } from '../networks/mqtt-link.ts';
import type { NetworkKind } from '../networks/network.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { createOutgoingHttp, OutgoingError } from '../platform/outgoing.ts';
import { randomKey } from '../platform/secrets.ts';
import { checkedOptions, getNetworkRow, kindOf, type Options, optionsOf } from './network-servers.ts';

const timeoutMs = 15_000;

export async function testSaved(ctx: UserCtx, id: number): Promise<NetworkTestReply> {
  const row = await getNetworkRow(ctx, id);
  return attempt(ctx, kindOf(row.type), optionsOf(ctx.secrets, row));
}

/** Tests unsaved settings; with an id the network's kept secrets are used, for the address they were saved for. */
export async function testUnsaved(
  ctx: UserCtx,
  given: { type: string; options: Options; id?: number | undefined },
): Promise<NetworkTestReply> {
  const before = given.id === undefined ? undefined : await getNetworkRow(ctx, given.id);
  try {
    return await attempt(ctx, kindOf(given.type), checkedOptions(ctx, given.type, given.options, before));
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return { ok: false, message: error.message };
    throw error;
  }
}

/** Signs in as the running connection would, but under another client id, so that the broker does not disconnect that one. */
async function attempt(ctx: UserCtx, kind: NetworkKind, options: Options): Promise<NetworkTestReply> {
  const broker = kind.broker(options, `telltale-test-${randomKey(8)}`);
  try {
    if (broker) {
      const link = await MqttLink.open({ ...broker, keepsSession: false, qos: 0 }, async () => {});
      link.close();
    }
    const http = createOutgoingHttp({ allowPrivate: ctx.config.allowPrivate });
    const fault = await kind.test?.(options, http, AbortSignal.timeout(timeoutMs));
    if (fault) return { ok: false, message: fault };
  } catch (error) {
    if (!(error instanceof OutgoingError)) ctx.log.debug({ err: error }, 'a network did not answer a test');
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  return { ok: true, message: broker ? 'The network answers.' : 'Nothing to connect to: the network posts to the webhook.' };
}
