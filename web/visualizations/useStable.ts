import { useState } from 'react';
import { isDeepEqual } from './isDeepEqual.ts';

/** Returns the former value while the new one is equal (visualizations 0.2, rule 8). */
export function useStable<T>(value: T): T {
  const [kept, keep] = useState(value);
  if (kept === value || isDeepEqual(kept, value)) return kept;
  keep(value);
  return value;
}
