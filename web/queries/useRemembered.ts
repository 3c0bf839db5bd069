import { useState } from 'react';
import { isBoolean, readLocal, writeLocal } from './localOptions.ts';

/** A switch that this browser remembers from visit to visit. */
export function useRemembered(key: string, usual: boolean): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => readLocal(key, usual, isBoolean));
  const change = (next: boolean) => {
    setOn(next);
    writeLocal(key, next);
  };
  return [isOn, change];
}
