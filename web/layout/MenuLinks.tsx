import { Link } from 'react-router';
import { preloadOf, useArea } from './area.ts';
import styles from './MenuLinks.module.css';
import type { NavEntry } from './navigation.ts';
import { usePages } from './Pages.tsx';
import { TriggeredCount, useTriggeredText } from './TriggeredCount.tsx';

/** Entries of a menu, one under the other. */
export function MenuLinks({ entries }: { entries: readonly NavEntry[] }) {
  const area = useArea();
  const pages = usePages();
  const triggered = useTriggeredText();
  return (
    <ul className={styles.list}>
      {entries.map(({ title, path, area: own }) => (
        <li key={path}>
          <Link
            to={path}
            className={styles.item}
            title={path === '/alerts' ? triggered : undefined}
            aria-current={own && own === area ? 'page' : undefined}
            onPointerEnter={() => preloadOf(pages, path)}
          >
            {title}
            {path === '/alerts' && <TriggeredCount />}
          </Link>
        </li>
      ))}
    </ul>
  );
}
