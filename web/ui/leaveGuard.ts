import { useEffect } from 'react';
import { useBlocker } from 'react-router';

/** Each form (by its id) or text with something unsaved on the screen. A router asks only one blocker, so they share one. */
const unsaved = new Map<object, string | undefined>();
let isLetGo = false;
const keepTab = (event: BeforeUnloadEvent) => event.preventDefault();
/** Fetched when there is something to lose: the question must not depend on a connection. */
const fetchQuestion = () => import('./confirm.tsx');

/** Screens 5.3: what is unsaved is not lost without a question; answers how to leave without one, once it is of no more use. */
export function useLeaveGuard(isDirty: boolean, formId?: string): () => void {
  useEffect(() => {
    if (!isDirty) return;
    const holder = {};
    unsaved.set(holder, formId);
    addEventListener('beforeunload', keepTab);
    fetchQuestion().catch(() => {});
    return () => release(holder);
  }, [isDirty, formId]);
  return leaveUnasked;
}

function release(holder: object): void {
  unsaved.delete(holder);
  if (unsaved.size === 0) removeEventListener('beforeunload', keepTab);
}

/** A dialog that was closed takes its form with it, and nothing else. */
export function giveUp(formId: string): void {
  for (const [holder, id] of unsaved) if (id === formId) release(holder);
}

/** The next change of the page is meant, as when what is unsaved belongs to what was just deleted. */
export function leaveUnasked(): void {
  isLetGo = true;
  setTimeout(() => {
    isLetGo = false;
  }, 500);
}

/** Q2: the words of the question, for a page and for a dialog that would take a form with it. */
export async function askToLeave(what: 'page' | 'form'): Promise<boolean> {
  const { confirm } = await fetchQuestion();
  return confirm({
    title: 'You will lose your changes if you leave',
    content: `Are you sure you want to leave this ${what}?`,
    okText: 'Leave',
    cancelText: 'Stay',
    danger: true,
  });
}

/** Stands once in the frame and asks before another path takes what is unsaved; a query string or hash takes nothing. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved.size > 0 && !isLetGo && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    askToLeave('page').then(
      (isLeaving) => (isLeaving ? blocker.proceed() : blocker.reset()),
      () => blocker.reset(),
    );
  }, [blocker]);
  return null;
}
