import { OutgoingError } from '../platform/outgoing.ts';
import { type NotifierEnv, NotifierError } from './notifier.ts';

/** The entries of a list that people typed with commas, each once. */
export const listedIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  ),
];

/**
 * Sends to several targets in turn. A target that cannot be reached does not stop the messages to the others, and another attempt goes
 * only to those that were not reached.
 */
export async function sendToEach(
  env: Pick<NotifierEnv, 'reached' | 'reach'>,
  targets: readonly string[],
  send: (target: string) => Promise<void>,
): Promise<void> {
  const faults: { target: string; fault: NotifierError | OutgoingError }[] = [];
  for (const target of targets) {
    if (env.reached.has(target)) continue;
    try {
      await send(target);
      await env.reach(target);
    } catch (error) {
      if (!(error instanceof NotifierError || error instanceof OutgoingError)) throw error;
      faults.push({ target, fault: error });
    }
  }
  const [first] = faults;
  if (!first) return;
  // All targets failed, so the cause is not one of them.
  if (faults.length === targets.length) throw first.fault;
  const isFinal = faults.every(({ fault }) => (fault instanceof NotifierError ? fault.isFinal : fault.fault === 'refused'));
  throw new NotifierError(`Not sent to ${faults.map(({ target }) => target).join(', ')}: ${first.fault.message}`, isFinal, first.fault);
}
