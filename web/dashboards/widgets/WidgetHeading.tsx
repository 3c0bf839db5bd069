import { shortTitle } from '@telltale/domain/dashboards/titles.ts';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './Widget.module.css';

const Markdown = lazy(() => import('./Markdown.tsx'));

interface WidgetHeadingProps {
  title: string;
  description: string | null;
  /** The query; undefined for those who may not see it. */
  to?: string | undefined;
}

/** D2: cut at 20 characters, the whole title is in the tooltip. */
export function WidgetHeading({ title, description, to }: WidgetHeadingProps) {
  const short = shortTitle(title);
  const shown = to ? (
    <Link className={styles.title} to={to} aria-label={title}>
      {short}
    </Link>
  ) : (
    <span className={styles.title}>{short}</span>
  );
  return (
    <>
      <h2>{short === title ? shown : <Tooltip title={title}>{shown}</Tooltip>}</h2>
      {description?.trim() && (
        <div className={styles.description}>
          <Suspense fallback={description}>
            <Markdown text={description} isSmall />
          </Suspense>
        </div>
      )}
    </>
  );
}
