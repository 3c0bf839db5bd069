import { createContext, type KeyboardEvent, use } from 'react';

export interface Step {
  x?: number;
  y?: number;
  w?: number;
  h?: number;
}

export type Nudge = (id: number, step: Step) => void;

/** Provided by the grid that is being edited. */
export const NudgeContext = createContext<Nudge | null>(null);

/** Arrows move a widget by one place, with Shift they change its size. */
export function useNudgeKeys(id: number): ((event: KeyboardEvent) => void) | undefined {
  const nudge = use(NudgeContext);
  if (!nudge) return undefined;
  return (event) => {
    const step = stepOf(event);
    if (!step) return;
    event.preventDefault();
    nudge(id, step);
  };
}

/** Null for any other key. */
export function stepOf({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): Step | null {
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!by) return null;
  const [x = 0, y = 0] = by;
  return shiftKey ? { w: x, h: y } : { x, y };
}
