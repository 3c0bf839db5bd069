import type { EChartsType } from 'echarts/core';

export interface Rect {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The plot inside the axes, in pixels, found by probing: the chart only reports whether a point is in it. */
export function gridRect(chart: EChartsType): Rect | null {
  const [width, height] = [chart.getWidth(), chart.getHeight()];
  const isIn = (x: number, y: number) => chart.containPixel({ gridIndex: 0 }, [x, y]);
  const [x, y] = [width / 2, height / 2];
  if (!isIn(x, y)) return null;
  const edge = (inside: number, outside: number, test: (at: number) => boolean) => {
    let [low, high] = [inside, outside];
    while (Math.abs(high - low) > 0.5) {
      const middle = (low + high) / 2;
      if (test(middle)) low = middle;
      else high = middle;
    }
    return low;
  };
  return {
    left: edge(x, 0, (at) => isIn(at, y)),
    right: edge(x, width, (at) => isIn(at, y)),
    top: edge(y, 0, (at) => isIn(x, at)),
    bottom: edge(y, height, (at) => isIn(x, at)),
  };
}
