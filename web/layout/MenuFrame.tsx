import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { preloadOf } from './area.ts';
import styles from './MenuFrame.module.css';
import { activeSettingsPath, type NavEntry, useOffered } from './navigation.ts';
import { usePages } from './Pages.tsx';

interface MenuFrameProps {
  title: string;
  entries: readonly NavEntry[];
  children: ReactNode;
}

/** A title and a horizontal menu above every page of a family. */
export function MenuFrame({ title, entries, children }: MenuFrameProps) {
  const offered = useOffered(entries);
  const active = activeSettingsPath(entries, useLocation().pathname);
  const pages = usePages();
  return (
    <div>
      <header className={styles.header}>
        <h1>{title}</h1>
        <nav aria-label={title} className={styles.menu}>
          {offered.map(({ title: name, path }) => (
            <Link
              key={path}
              to={path}
              className={styles.entry}
              aria-current={path === active ? 'page' : undefined}
              onPointerEnter={() => preloadOf(pages, path)}
              ref={path === active ? showWhole : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      </header>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

/** Scrolls the active entry into view: on a phone the menu scrolls. */
function showWhole(entry: HTMLElement | null): void {
  const menu = entry?.parentElement;
  if (entry && menu) menu.scrollLeft = entry.offsetLeft - (menu.clientWidth - entry.offsetWidth) / 2;
}
