import { shortTitle } from '@telltale/domain/dashboards/titles.ts';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../api/session.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './Widget.module.css';

const Markdown = lazy(() => import('./Markdown.tsx'));

interface WidgetHeadingProps {
  title: string;
  description: string | null;
  /** The address of the query; undefined for users who may not see it. */
  to?: string | undefined;
}

/** D2: cut at 20 characters or what the organisation has set; the whole title is in the tooltip. */
export function WidgetHeading({ title, description, to }: WidgetHeadingProps) {
  const { widgetTitleLength } = useSession().client_config;
  const short = shortTitle(title, widgetTitleLength);
  const isWhole = widgetTitleLength !== 0 && short === title;
  const shown = to ? (
    <Link className={styles.title} to={to}>
      {short === title ? title : <Cut short={short} title={title} />}
    </Link>
  ) : (
    <span className={styles.title}>{short === title ? title : <Cut short={short} title={title} />}</span>
  );
  return (
    <>
      <h2>{isWhole ? shown : <Tooltip title={title}>{shown}</Tooltip>}</h2>
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

/** Screen readers get the whole title. */
const Cut = ({ short, title }: { short: string; title: string }) => (
  <>
    <span aria-hidden>{short}</span>
    <span className="visually-hidden">{title}</span>
  </>
);
