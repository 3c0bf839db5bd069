import { useEffect, useRef, useState } from 'react';

/**
 * D4 and complaint 26: refreshes every so many seconds, but not while the tab is hidden: a refresh that is due by then happens as soon as
 * the tab is visible again. Returns when the next refresh is due.
 */
export function useAutoRefresh(seconds: number | null, refresh: () => void): number | null {
  const latest = useRef(refresh);
  latest.current = refresh;
  const [dueAt, setDueAt] = useState<number | null>(null);
  useEffect(() => {
    if (seconds === null) return setDueAt(null);
    let due = Date.now() + seconds * 1000;
    setDueAt(due);
    const check = () => {
      if (document.hidden || Date.now() < due) return;
      due = Date.now() + seconds * 1000;
      setDueAt(due);
      latest.current();
    };
    const timer = setInterval(check, 1000);
    document.addEventListener('visibilitychange', check);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', check);
    };
  }, [seconds]);
  return dueAt;
}
