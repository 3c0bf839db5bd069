import { useEffect, useState } from 'react';

/** The value after it has not changed for a while (Q9: 200 ms while searching). */
export function useDelayed<T>(value: T, ms = 200): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
