import { stateOf } from './condition.ts';
import type { AlertState, DeviceAlertOptions } from './options.ts';

/** The progress of an alert on one device. Times are milliseconds since 1970. */
export interface DeviceProgress {
  state: AlertState;
  /** The condition has held since then, but not yet for long enough. */
  pendingSince: number | null;
}

/** A reading as points store it (iot-behaviour 1.5): a boolean is 1 or 0, unless it is compared with `true` or `false`. */
export function readingOf(point: { kind: string; value: number | null; text: string | null }, threshold: unknown): unknown {
  if (point.kind === 's') return point.text;
  if (point.kind === 'b' && /^(?:true|false)$/i.test(String(threshold))) return point.value === 1;
  return point.kind === 'j' ? null : point.value;
}

/** Applies one reading: the state follows the condition, but `triggered` only when it has held for `for_seconds`. */
export function stepDevice(
  before: DeviceProgress,
  reading: unknown,
  at: number,
  { op, value, for_seconds }: Pick<DeviceAlertOptions, 'op' | 'value' | 'for_seconds'>,
  timeZone = 'UTC',
): DeviceProgress {
  const threshold = typeof reading === 'boolean' && typeof value === 'string' ? value.toLowerCase() : value;
  const condition = stateOf(reading, op, threshold, timeZone);
  if (condition !== 'triggered' || for_seconds === 0 || before.state === 'triggered') return { state: condition, pendingSince: null };
  const since = before.pendingSince ?? at;
  return at - since >= for_seconds * 1000 ? { state: 'triggered', pendingSince: null } : { state: before.state, pendingSince: since };
}
