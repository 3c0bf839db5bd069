import type { Ctx } from '../platform/context.ts';
import { type Observation, settleObservations } from './device-alerts.ts';
import { listSilenceChanges } from './silence.store.ts';

/** The number of changes in one pass; further passes handle the rest. */
const mostAtOnce = 500;

/** Settles devices that fell silent, that report again, or whose silence is due for a repeated notice (A4). */
export async function checkSilence(ctx: Ctx): Promise<void> {
  for (let more = true; more; ) {
    const changes = await listSilenceChanges(ctx.db, mostAtOnce);
    if (changes.length > 0)
      await ctx.transaction((tx) =>
        settleObservations(
          tx,
          changes.map(
            ({ alert_id, device_pk, is_silent, last_seen_at }): Observation => ({
              alert_id,
              device_pk,
              seen: { kind: is_silent ? 'silent' : 'heard', lastSeen: last_seen_at },
            }),
          ),
        ),
      );
    more = changes.length === mostAtOnce;
  }
}
