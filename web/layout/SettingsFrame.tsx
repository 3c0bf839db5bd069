import type { ReactNode } from 'react';
import { MenuFrame } from './MenuFrame.tsx';
import { settingsEntries } from './navigation.ts';

/** Screens 12: the header "Settings" and its menu above every page of the settings. */
export const SettingsFrame = ({ children }: { children: ReactNode }) => (
  <MenuFrame title="Settings" entries={settingsEntries}>
    {children}
  </MenuFrame>
);
