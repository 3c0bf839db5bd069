import { lazy, Suspense, useSyncExternalStore } from 'react';
import { onHelpChange, openTopic } from './help.ts';

const HelpDrawer = lazy(() => import('./HelpDrawer.tsx').then((m) => ({ default: m.HelpDrawer })));
let wasOpened = false;

/** Placed once in the frame; the drawer's code is loaded when help is first opened. */
export function HelpPanel() {
  const topic = useSyncExternalStore(onHelpChange, openTopic);
  wasOpened ||= topic !== null;
  if (!wasOpened) return null;
  return (
    <Suspense>
      <HelpDrawer topic={topic} />
    </Suspense>
  );
}
