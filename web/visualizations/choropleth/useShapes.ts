import { useEffect, useState } from 'react';
import { loadShapes, type MapType, type Shapes } from './shapes.ts';

/** Null while they are on their way. A failure is the picture's. */
export function useShapes(type: MapType): Shapes | null {
  const [state, setState] = useState<{ type: MapType; shapes: Shapes } | { error: unknown } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    loadShapes(type).then(
      (shapes) => isCurrent && setState({ type, shapes }),
      (error: unknown) => isCurrent && setState({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [type]);
  if (state && 'error' in state) throw state.error;
  return state?.type === type ? state.shapes : null;
}
