import type { DestinationTestReply } from '@telltale/domain/destinations/contract.ts';
import { recordEvent } from '../events/events.ts';
import { findNotifier } from '../notifiers/index.ts';
import type { Notice } from '../notifiers/notice.ts';
import { type NotifierEnv, NotifierError } from '../notifiers/notifier.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { createOutgoingHttp, OutgoingError } from '../platform/outgoing.ts';
import { randomKey } from '../platform/secrets.ts';
import { absoluteLink } from '../session/account-links.ts';
import { checkedOptions, getDestinationRow, optionsOf } from './destinations.ts';

export interface SendingFault {
  message: string;
  /** True when another attempt would fail the same way. */
  isFinal: boolean;
}

interface Settings {
  type: string;
  options: Record<string, unknown>;
}

const longestMs = 30_000;

/** Sends a notice; returns undefined when the target accepted it. */
export async function attempt(
  ctx: Pick<Ctx, 'config' | 'mail' | 'log'>,
  { type, options }: Settings,
  notice: Notice,
  { key, reached = new Set(), reach = async () => {} }: Pick<NotifierEnv, 'key'> & Partial<NotifierEnv>,
  signal: AbortSignal,
): Promise<SendingFault | undefined> {
  const notifier = findNotifier(type);
  if (!notifier) return { message: `There is no destination type ${type} any more.`, isFinal: true };
  const late = AbortSignal.timeout(longestMs);
  try {
    const http = createOutgoingHttp({ allowPrivate: ctx.config.allowPrivate });
    await notifier.send(options, notice, { http, mail: ctx.mail, key, reached, reach, signal: AbortSignal.any([signal, late]) });
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof NotifierError) return error;
    if (error instanceof OutgoingError) return { message: error.message, isFinal: error.fault === 'refused' };
    if (late.aborted) return { message: `There was no answer within ${longestMs / 1000} seconds.`, isFinal: false };
    ctx.log.error({ err: error, type }, 'a notice could not be sent');
    return { message: 'This failed for an unexpected reason. The server log has the details.', isFinal: false };
  }
}

async function test(ctx: UserCtx, settings: Settings): Promise<DestinationTestReply> {
  const message = `${ctx.user.name} sent this test. Notifications of alerts arrive here.`;
  const notice: Notice = { event: 'test', message, url: absoluteLink(ctx, '/destinations') };
  const fault = await attempt(ctx, settings, notice, { key: `test-${randomKey(16)}` }, new AbortController().signal);
  return fault ? { ok: false, message: fault.message } : { ok: true, message: 'success' };
}

export async function testDestination(ctx: UserCtx, id: number): Promise<DestinationTestReply> {
  const row = await getDestinationRow(ctx, id);
  await recordEvent(ctx, 'test', 'destination', id);
  return test(ctx, { type: row.type, options: optionsOf(ctx, row) });
}

/** Tests unsaved settings; masked secrets come from the stored destination. */
export async function testUnsaved(
  ctx: UserCtx,
  { type, options, id }: { type: string; options: Record<string, unknown>; id?: number | undefined },
): Promise<DestinationTestReply> {
  const before = id === undefined ? undefined : await getDestinationRow(ctx, id);
  return test(ctx, { type, options: checkedOptions(ctx, type, options, before) });
}
