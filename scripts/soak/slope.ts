/** The straight line through points by least squares: how much y changes per unit of x, and the standard error of that. */
export function slopeOf(points: readonly { x: number; y: number }[]): { perUnit: number; error: number } {
  const count = points.length;
  if (count < 3) return { perUnit: 0, error: 0 };
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [mx, my] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const spread = points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
  const perUnit = points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) / spread;
  const rest = points.reduce((sum, { x, y }) => sum + (y - my - perUnit * (x - mx)) ** 2, 0);
  return { perUnit, error: Math.sqrt(rest / (count - 2) / spread) };
}
