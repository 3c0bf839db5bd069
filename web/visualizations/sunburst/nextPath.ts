import { pathTo, type SunburstNode } from './sunburstModel.ts';

/** Left and right along a ring, up outwards, down inwards; null for other keys. Slices are ordered by size. */
export function nextPath(nodes: readonly SunburstNode[], path: readonly number[], key: string): readonly number[] | null {
  const above = path.slice(0, -1);
  const own = pathTo(nodes, path).at(-1);
  const siblings = above.length === 0 ? nodes : (pathTo(nodes, above).at(-1)?.children ?? []);
  switch (key) {
    case 'ArrowRight':
      return beside(siblings, above, path, 1);
    case 'ArrowLeft':
      return beside(siblings, above, path, -1);
    case 'ArrowUp':
      return own ? (own.children.length > 0 ? [...path, bySize(own.children)[0] ?? 0] : path) : beside(nodes, [], [], 1);
    case 'ArrowDown':
      return above.length > 0 ? above : path;
    default:
      return null;
  }
}

const bySize = (nodes: readonly SunburstNode[]): number[] =>
  nodes.map((_, at) => at).sort((a, b) => (nodes[b]?.value ?? 0) - (nodes[a]?.value ?? 0));

function beside(siblings: readonly SunburstNode[], above: readonly number[], path: readonly number[], step: 1 | -1): readonly number[] {
  const order = bySize(siblings);
  const here = path.length === 0 ? -1 : order.indexOf(path.at(-1) ?? -1);
  const to = order[(here + step + order.length) % order.length];
  return to === undefined ? path : [...above, to];
}
