import { useEffect, useState } from 'react';
import { timerText } from '../../queries/run/durationText.ts';

/** D9: mm:ss, with hours above one. */
export function RunTimer({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <>{timerText(Math.max(0, now - since))}</>;
}
