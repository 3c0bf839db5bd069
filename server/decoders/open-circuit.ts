import { nobody } from '@telltale/domain/access/identity.ts';
import { breakerLimits } from '@telltale/domain/decoders/limits.ts';
import { recordEvent } from '../events/events.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { absoluteLink } from '../session/account-links.ts';
import { sendNotice } from '../users/account-mails.ts';
import { type ActiveDecoder, findDecoderOwner, pauseDecoder } from './decoders.store.ts';
import { rerunUndecoded } from './reruns.ts';

/**
 * iot-behaviour 4.3: pauses a decoder, notifies its owner, and queues a job that decodes the messages of the pause. Only the first process
 * does it.
 */
export async function openCircuit(services: Services, { channel_pk, version }: ActiveDecoder): Promise<void> {
  await createCtx(services, nobody).transaction(async (tx) => {
    if (!(await pauseDecoder(tx.db, channel_pk, version, breakerLimits.pauseMs))) return;
    const owner = await findDecoderOwner(tx.db, channel_pk);
    if (!owner) return;
    await recordEvent(tx, 'pause_decoder', 'channel', owner.channel_id, { version });
    await rerunUndecoded(tx, channel_pk, new Date(Date.now() + breakerLimits.pauseMs + 1000));
    if (!owner.email || !owner.name || !tx.mail.isConfigured) return;
    const url = absoluteLink(tx, `/mqtt/${owner.channel_id}?tab=decoder`);
    await sendNotice(
      tx,
      { name: owner.name, email: owner.email },
      {
        subject: `The decoder of ${owner.channel_name} is paused`,
        lines: [
          `The decoder of the channel ${owner.channel_name} took too long ${breakerLimits.timeouts} times within a minute and is paused for five minutes.`,
          'Messages are stored undecoded meanwhile and decoded afterwards.',
        ],
        link: { label: 'Open the decoder', url },
      },
    );
  });
}
