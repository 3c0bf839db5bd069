import { useEffect, useState } from 'react';
import { loadShapes, type MapType, type Shapes } from './shapes.ts';

/** Null while loading. A failure is thrown to the picture's boundary. */
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
