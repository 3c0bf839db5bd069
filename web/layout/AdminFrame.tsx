import type { ReactNode } from 'react';
import { MenuFrame } from './MenuFrame.tsx';
import { adminEntries } from './navigation.ts';

/** Screens 13: the header "Admin" and its tabs. */
export const AdminFrame = ({ children }: { children: ReactNode }) => (
  <MenuFrame title="Admin" entries={adminEntries}>
    {children}
  </MenuFrame>
);
