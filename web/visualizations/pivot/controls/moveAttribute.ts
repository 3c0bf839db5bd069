import type { PivotOptions } from '../pivotOptions.ts';

/** The possible places of an attribute. */
export const zones = ['unused', 'rows', 'cols'] as const;
export type Zone = (typeof zones)[number];

type Placed = Pick<PivotOptions, 'rows' | 'cols'>;

/**
 * Moves an attribute to another place. `shown` are the visible ones; stored attributes that are not shown (hidden, or no longer in the
 * result) stay stored, behind the others.
 */
export function movedAttribute(stored: Placed, shown: Placed, name: string, zone: Zone, index: number): Placed {
  const placed = (list: 'rows' | 'cols'): string[] => {
    const others = shown[list].filter((one) => one !== name);
    const kept = stored[list].filter((one) => !shown[list].includes(one) && one !== name);
    const withIt = zone === list ? others.toSpliced(Math.min(Math.max(0, index), others.length), 0, name) : others;
    return [...withIt, ...kept];
  };
  return { rows: placed('rows'), cols: placed('cols') };
}
