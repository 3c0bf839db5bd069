/** A frame counts for at most this long: a page that stood still, or lay behind another one, has shown nothing meanwhile. */
const longestFrameMs = 100;
/** A notice that is not drawn by then was closed before it was drawn. */
const mostFramesBefore = 600;

/**
 * Calls `onEnd` once a notice has been shown for so many seconds. The time of frames is counted and not that of the clock, and none while the
 * pointer or the focus is on the notice.
 */
export function countShownTime(find: () => Element | null, seconds: number, onEnd: () => void): void {
  let shownMs = 0;
  let lastAt: number | null = null;
  let wasDrawn = false;
  let framesBefore = 0;
  const step = (now: number) => {
    const notice = find();
    if (!notice && (wasDrawn || ++framesBefore > mostFramesBefore)) return;
    wasDrawn ||= notice !== null;
    if (notice && lastAt !== null && !notice.matches(':hover, :focus-within')) shownMs += Math.min(now - lastAt, longestFrameMs);
    lastAt = now;
    if (shownMs >= seconds * 1000) onEnd();
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
