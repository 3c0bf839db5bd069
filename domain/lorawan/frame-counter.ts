export interface Frame {
  /** The scope of a counter: the session, or the address where the network reports no session. */
  session: string | null;
  fcnt: number;
}

/** A counter further back than this was reset; nearer, the uplink came late. */
const lateFrames = 64;

/**
 * iot-behaviour 2.1: the uplinks that were lost between the last frame and this one, and the frame to count from next. A counter starts
 * anew with each session; late or repeated frames count as no loss.
 */
export function countLost(last: Frame | undefined, frame: Frame): { lost: number; next: Frame } {
  if (!last || last.session !== frame.session) return { lost: 0, next: frame };
  const jump = frame.fcnt - last.fcnt;
  if (jump > 0) return { lost: jump - 1, next: frame };
  return { lost: 0, next: jump < -lateFrames ? frame : last };
}
