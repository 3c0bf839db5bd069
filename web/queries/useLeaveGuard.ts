import { useCallback, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { confirm } from '../ui/confirm.tsx';

/** Q2, screens 5.3: asks before another path or the end of the tab takes unsaved text; answers how to let one go unasked. */
export function useLeaveGuard(isDirty: boolean): () => void {
  const isLetGo = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && !isLetGo.current && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm({
      title: 'You will lose your changes if you leave',
      content: 'Are you sure you want to leave this page?',
      okText: 'Leave',
      cancelText: 'Stay',
      danger: true,
    }).then((isLeaving) => (isLeaving ? blocker.proceed() : blocker.reset()));
  }, [blocker]);

  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);

  return useCallback(() => {
    isLetGo.current = true;
    setTimeout(() => {
      isLetGo.current = false;
    }, 500);
  }, []);
}
