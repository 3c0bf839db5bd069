import { createContext, use, useEffect } from 'react';
import { type Location, useBlocker } from 'react-router';

/** Each form (by its id) or text with unsaved changes on the screen. A router supports only one blocker, so they share one. */
const unsaved = new Map<object, string | undefined>();
let isLetGo = false;
const keepTab = (event: BeforeUnloadEvent) => event.preventDefault();
/** Loaded as soon as there are unsaved changes: the question must not depend on a connection. */
const fetchQuestion = () => import('./confirm.tsx');

/** Told true by a form with unsaved changes, and false when it has none any more; a tab stays mounted meanwhile. */
export const TabGuard = createContext<(isUnsaved: boolean) => void>(() => {});

/** Screens 5.3: unsaved changes are not lost without a confirmation. Returns a function that lifts the guard. */
export function useLeaveGuard(isDirty: boolean, formId?: string): () => void {
  const tellTab = use(TabGuard);
  useEffect(() => {
    if (!isDirty) return;
    const holder = {};
    unsaved.set(holder, formId);
    addEventListener('beforeunload', keepTab);
    fetchQuestion().catch(() => {});
    tellTab(true);
    return () => {
      release(holder);
      tellTab(false);
    };
  }, [isDirty, formId, tellTab]);
  return leaveUnasked;
}

function release(holder: object): void {
  unsaved.delete(holder);
  if (unsaved.size === 0) removeEventListener('beforeunload', keepTab);
}

/** Drops the unsaved changes of a closed dialog's form, and nothing else. */
export function giveUp(formId: string): void {
  for (const [holder, id] of unsaved) if (id === formId) release(holder);
}

/** Lets the next change of page pass, as when the unsaved changes belong to an object that was just deleted. */
export function leaveUnasked(): void {
  isLetGo = true;
  setTimeout(() => {
    isLetGo = false;
  }, 500);
}

/** Q2: the question before leaving, for a page and for a dialog with a form. */
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

/** A page is a path and its `view`; the rest of the query string and the hash discard nothing. */
const pageOf = ({ pathname, search }: Location) => `${pathname}?${new URLSearchParams(search).get('view') ?? ''}`;

/** Stands once in the frame and asks before another page discards unsaved changes. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved.size > 0 && !isLetGo && pageOf(currentLocation) !== pageOf(nextLocation),
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
