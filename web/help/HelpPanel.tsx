import { lazy, Suspense, useSyncExternalStore } from 'react';
import { onHelpChange, openTopic } from './help.ts';

const HelpDrawer = lazy(() => import('./HelpDrawer.tsx').then((m) => ({ default: m.HelpDrawer })));
let wasOpened = false;

/** Placed once in the frame; the drawer is loaded when help is first asked for. */
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
