import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { preloadOf } from './area.ts';
import { activeSettingsPath, settingsEntries, useOffered } from './navigation.ts';
import { usePages } from './Pages.tsx';
import styles from './SettingsFrame.module.css';

/** Screens 12: the header "Settings" and its menu above every page of the settings. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const entries = useOffered(settingsEntries);
  const active = activeSettingsPath(settingsEntries, useLocation().pathname);
  const pages = usePages();
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <h1>Settings</h1>
        <nav aria-label="Settings" className={styles.menu}>
          {entries.map(({ title, path }) => (
            <Link
              key={path}
              to={path}
              className={styles.entry}
              aria-current={path === active ? 'page' : undefined}
              onPointerEnter={() => preloadOf(pages, path)}
              ref={path === active ? showWhole : undefined}
            >
              {title}
            </Link>
          ))}
        </nav>
      </header>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

/** On a phone the menu scrolls; what is active must not start out of sight. */
function showWhole(entry: HTMLElement | null): void {
  const menu = entry?.parentElement;
  if (entry && menu) menu.scrollLeft = entry.offsetLeft - (menu.clientWidth - entry.offsetWidth) / 2;
}
