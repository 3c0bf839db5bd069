import { useState } from 'react';
import { isNumber, readLocal, writeLocal } from './localOptions.ts';

/** Complaint 3: panes keep their sizes from visit to visit. */
export function usePaneSize(key: string, usual: number): [number, (size: number) => void, () => void] {
  const [size, setSize] = useState(() => readLocal(key, usual, isNumber));
  const change = (next: number) => {
    setSize(next);
    writeLocal(key, next);
  };
  const reset = () => {
    setSize(usual);
    writeLocal(key, null);
  };
  return [size, change, reset];
}
