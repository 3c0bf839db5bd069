import type { DeliveryState } from './delivery.ts';

/**
 * The stages of a delivery. `ready`: to be handed over. `flying`: handed over, its arrival is not reported yet. `network`: it waits in the
 * network's own queue. `answer`: it arrived and the device has to confirm. `effect`: a later uplink has to prove it. `done`: it has its
 * final state.
 */
const stages = ['ready', 'flying', 'network', 'answer', 'effect', 'done'] as const;
type Stage = (typeof stages)[number];

/** The facts that decide the next step of a delivery. Times are milliseconds since 1970. */
export interface Progress {
  state: DeliveryState;
  stage: Stage;
  reason: string | null;
  /** The current or last attempt; 0 before the first. */
  attempt: number;
  max_attempts: number;
  confirm: boolean;
  /** There is a `retry_until`. */
  has_condition: boolean;
  /** Devices of our own broker and of the HTTP twin; others are reached through a network that has a queue. */
  is_direct: boolean;
  /** When the first attempt arrived: uplinks after it can prove the effect. */
  sent_at: number | null;
  /** The time at which the stage ends by itself; null when only an event ends it. */
  next_at: number | null;
  expires_at: number;
}

export type ProgressEvent =
  | { kind: 'later'; reason: string; afterMs?: number | undefined }
  | { kind: 'queued' | 'sent' | 'acknowledged' }
  /** The session of the device is new. The network queues the downlink again by itself, or has lost it. */
  | { kind: 'requeued'; is_lost?: boolean | undefined }
  | { kind: 'nacked'; reason?: string | undefined; will_repeat?: boolean | undefined }
  | { kind: 'failed'; reason: string }
  /** The condition in later uplinks: the last times at which it held, and at which it did not. */
  | { kind: 'condition'; trueAt: number | null; falseAt: number | null; isMismatch?: boolean | undefined }
  | { kind: 'timer' }
  | { kind: 'cancelled' | 'replaced'; reason: string };

/** One line of the log: the reported state. A line with `is_late` changed nothing. */
export interface LogLine {
  state: string;
  reason: string | null;
  is_late: boolean;
}

export interface Step {
  progress: Progress;
  log: LogLine[];
}

export const timing = { answerMs: 30_000, flyingMs: 30_000, retryMs: 5000 } as const;

const line = (state: string, reason: string | null = null): LogLine => ({ state, reason, is_late: false });

/**
 * iot-behaviour 3.4 and 3.5: the effect of an event on a delivery. `attempt` is the one that the event concerns; `waitMs` is the wait for
 * an uplink that shows the effect. Final states stay, and late events are only recorded.
 */
export function advance(before: Progress, event: ProgressEvent, attempt: number, now: number, waitMs: number): Step {
  const to = (change: Partial<Progress>, ...log: LogLine[]): Step => ({ progress: { ...before, ...change }, log });
  const end = (state: DeliveryState, reason: string | null = null, ...log: LogLine[]): Step =>
    to({ state, reason, stage: 'done', next_at: null }, ...log, line(state, reason));
  const late = (): Step => ({ progress: before, log: [{ state: event.kind, reason: reasonOf(event), is_late: true }] });
  const ignore = (): Step => ({ progress: before, log: [] });
  const arrived = before.sent_at ?? now;
  const watch = (change: Partial<Progress>, ...log: LogLine[]): Step =>
    to({ ...change, state: 'waiting', stage: 'effect', reason: null, next_at: now + waitMs }, ...log, line('waiting'));
  /** Makes another attempt, or ends the delivery. */
  const again = (reason: string, canStillShow: boolean): Step => {
    const nacked = line('nacked', reason);
    // An answer to an attempt that was given up as lost still counts.
    const current = Math.max(before.attempt, attempt);
    if (current < before.max_attempts)
      return to({ attempt: current, state: 'nacked', stage: 'ready', reason, next_at: now + timing.retryMs }, nacked);
    if (before.has_condition && canStillShow) return watch({ attempt: current }, nacked);
    return end('failed', reason, nacked);
  };

  if (before.stage === 'done') {
    const isAboutOpen = event.kind === 'timer' || event.kind === 'condition' || (event.kind === 'requeued' && event.is_lost);
    return isAboutOpen ? ignore() : late();
  }
  const isOld = attempt < before.attempt || (attempt === before.attempt && before.stage === 'ready');
  switch (event.kind) {
    case 'later': {
      if (before.stage !== 'flying' || isOld) return late();
      const change = {
        attempt: before.attempt - 1,
        stage: 'ready',
        next_at: event.afterMs === undefined ? null : now + event.afterMs,
      } as const;
      return before.state === 'queued' ? to(change) : to({ ...change, state: 'queued' }, line('queued', event.reason));
    }
    case 'queued':
      if (isOld || before.stage !== 'flying') return late();
      return to({ state: 'queued', stage: 'network', next_at: null, reason: null }, line('queued'));
    case 'requeued':
      if (event.is_lost) {
        // A downlink that was queued after the join is not lost: the pause leaves time for the report that it was sent.
        const isWaiting = before.stage === 'network' && attempt === before.attempt;
        return isWaiting ? to({ state: 'queued', next_at: now + timing.retryMs }, line('requeued')) : ignore();
      }
      if (isOld || before.stage === 'effect') return late();
      return to({ state: 'queued', stage: 'network', next_at: null }, line('requeued'));
    case 'sent':
      // An attempt that was given up as lost but arrived need not be sent again.
      if (isOld || before.stage === 'answer' || before.stage === 'effect' || (before.stage === 'ready' && before.confirm)) return late();
      if (before.confirm) {
        const next_at = before.is_direct ? now + timing.answerMs : Math.max(before.expires_at, now);
        return to({ attempt, state: 'sent', stage: 'answer', reason: null, sent_at: arrived, next_at }, line('sent'));
      }
      if (before.has_condition) return watch({ attempt, sent_at: arrived }, line('sent'));
      return to({ attempt, state: 'sent', stage: 'done', reason: null, sent_at: arrived, next_at: null }, line('sent'));
    case 'acknowledged':
      // An answer to an older attempt counts; a pending repetition is dropped.
      if (before.stage === 'effect') return late();
      if (before.has_condition) return watch({ sent_at: arrived }, line('acknowledged'));
      return to({ state: 'acknowledged', stage: 'done', reason: null, sent_at: arrived, next_at: null }, line('acknowledged'));
    case 'nacked':
      if (isOld || before.stage === 'effect') return late();
      if (event.will_repeat) return to({ state: 'nacked', stage: 'network', next_at: null }, line('nacked', event.reason ?? null));
      return again(event.reason ?? 'no_answer', event.reason === undefined);
    case 'failed':
      return isOld ? late() : end('failed', event.reason);
    case 'condition': {
      const since = before.sent_at === null ? Number.POSITIVE_INFINITY : Math.floor(before.sent_at);
      if ((event.trueAt ?? -1) >= since) return end('succeeded');
      // A reading that was false before this attempt arrived does not speak against it.
      const arrivedAt = before.stage === 'effect' && before.attempt > 1 ? Math.floor((before.next_at ?? now) - waitMs) : since;
      if ((event.falseAt ?? -1) < Math.max(since, arrivedAt)) return ignore();
      const log = event.isMismatch ? [line(before.state, 'type_mismatch')] : [];
      if (before.stage !== 'effect' || before.attempt >= before.max_attempts) return { progress: before, log };
      return to({ next_at: Math.min(before.next_at ?? Number.POSITIVE_INFINITY, now + timing.retryMs) }, ...log);
    }
    case 'cancelled':
    case 'replaced':
      return end(event.kind, event.reason);
    case 'timer':
      return timeOut();
  }

  function timeOut(): Step {
    if (before.next_at === null || before.next_at > now) {
      const isWaiting = before.stage === 'ready' || before.stage === 'network' || before.stage === 'flying';
      return isWaiting && before.expires_at <= now ? end('expired', 'ttl') : ignore();
    }
    switch (before.stage) {
      case 'flying':
        if (!before.is_direct) return end('failed', 'no_network_answer');
        if (before.expires_at <= now) return end('expired', 'ttl');
        // The same attempt is sent again: its arrival is unknown, and the device recognises it by its id.
        return to({ attempt: before.attempt - 1, state: 'queued', stage: 'ready', next_at: null }, line('queued', 'no_answer'));
      case 'network':
        if (before.expires_at <= now) return end('expired', 'ttl');
        // The network lost it with the old session. It goes out under the same id, which ChirpStack's broker takes only once.
        return to({ attempt: before.attempt - 1, stage: 'ready', next_at: now });
      case 'answer':
        return again('no_answer', true);
      case 'effect':
        if (before.attempt < before.max_attempts) return to({ stage: 'ready', next_at: now });
        return end('failed', 'condition_not_met');
      default:
        return before.expires_at <= now ? end('expired', 'ttl') : ignore();
    }
  }
}

const reasonOf = (event: ProgressEvent): string | null => ('reason' in event ? (event.reason ?? null) : null);

const idLength = 24;

/** The id of an attempt on devices and networks: 24 characters of the delivery and two of the attempt. */
export const attemptId = (wireId: string, attempt: number): string => wireId + attempt.toString(16).toUpperCase().padStart(2, '0');

export function readAttemptId(id: string): { wire_id: string; attempt: number } | undefined {
  return /^[0-9A-Z]{24}[0-9A-F]{2}$/.test(id)
    ? { wire_id: id.slice(0, idLength), attempt: Number.parseInt(id.slice(idLength), 16) }
    : undefined;
}
