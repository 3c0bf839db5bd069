interface Size {
  width: number;
  height: number;
}

const [gapPx, edgePx] = [14, 8];

/** Where a box beside a point stays inside the window: right of it, else left of it, and never beyond an edge. */
export function beside(point: { x: number; y: number }, box: Size, window: Size): { x: number; y: number } {
  const right = point.x + gapPx;
  const left = right + box.width <= window.width - edgePx ? right : point.x - gapPx - box.width;
  const within = (at: number, size: number, room: number) => Math.max(edgePx, Math.min(at, room - edgePx - size));
  return { x: within(left, box.width, window.width), y: within(point.y - box.height / 2, box.height, window.height) };
}
