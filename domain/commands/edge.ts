/** iot-behaviour 3.7: whether the condition held at the last look. */
type EdgeState = 'armed' | 'active' | 'unknown';

/** The condition at a moment of the device's own time, in microseconds. Undefined means unknown. */
export interface Sample {
  at: number;
  truth: boolean | undefined;
  /** Hysteresis: the value is far enough on the other side to arm the schedule again. */
  isClear: boolean;
}

export interface Edge {
  state: EdgeState;
  /** The newest moment that was evaluated. */
  evaluated_at: number | null;
}

/** Older events start no command. */
const staleAfterMs = 15 * 60_000;

/**
 * Fires when the condition becomes true, once per batch, at its last such moment. Samples that are not newer than earlier ones never fire.
 * `stale` says that it would have fired, but too long ago.
 */
export function advanceEdge(
  before: Edge,
  samples: readonly Sample[],
  nowMs: number,
): Edge & { fired_at: number | null; is_stale: boolean } {
  let { state, evaluated_at } = before;
  let edge: number | null = null;
  for (const { at, truth, isClear } of [...samples].sort((a, b) => a.at - b.at)) {
    if (evaluated_at !== null && at <= evaluated_at) continue;
    evaluated_at = at;
    if (truth === undefined) continue;
    if (truth) {
      if (state !== 'active') edge = at;
      state = 'active';
    } else if (state !== 'active' || isClear) state = 'armed';
  }
  const isStale = edge !== null && nowMs - edge / 1000 > staleAfterMs;
  return { state, evaluated_at, fired_at: isStale ? null : edge, is_stale: isStale };
}
