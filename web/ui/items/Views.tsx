import { Link, useLocation } from 'react-router';
import styles from './Views.module.css';

export interface View {
  title: string;
  to: string;
}

/** The views of a list, as a menu; the current one is found by the beginning of its path and by its query. */
export function Views({ views, label }: { views: readonly View[]; label: string }) {
  const { pathname, search } = useLocation();
  const shown = new URLSearchParams(search);
  const isShown = ({ to }: View) => {
    const [path, query = ''] = to.split('?');
    return `${pathname}/`.startsWith(`${path}/`) && [...new URLSearchParams(query)].every(([key, value]) => shown.get(key) === value);
  };
  // The longest match wins: `/users` also matches while `/users/pending` is open.
  const current = views.filter(isShown).sort((a, b) => b.to.length - a.to.length)[0];
  return (
    <nav className={styles.views} aria-label={label}>
      {views.map((view) => (
        <Link key={view.to} className={styles.view} to={view.to} aria-current={view === current ? 'page' : undefined}>
          {view.title}
        </Link>
      ))}
    </nav>
  );
}
