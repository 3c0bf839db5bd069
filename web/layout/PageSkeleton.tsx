import styles from './PageSkeleton.module.css';

/** What a page looks like before it is there: a list, one object with tabs, a result, the editor of a query, a dashboard. */
export type PageShape = 'list' | 'object' | 'answer' | 'editor' | 'dashboard';

const parts: Readonly<Record<PageShape, readonly string[]>> = {
  list: ['title', 'filter', ...Array<string>(8).fill('row')],
  object: ['crumb', 'title', 'tabs', ...Array<string>(8).fill('row')],
  answer: ['bar', 'line', 'result'],
  editor: ['bar', 'side', 'text', 'result'],
  dashboard: ['bar', 'widget', 'widget', 'widget', 'widget'],
};

/** In the shape of the page that comes, so that nothing jumps when it does. */
export function PageSkeleton({ shape = 'list' }: { shape?: PageShape }) {
  return (
    <div className={`${styles.page} ${styles[shape]}`} role="status">
      <span className="visually-hidden">Loading...</span>
      {parts[shape].map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a shape never change places
        <div key={at} className={styles[part]} />
      ))}
    </div>
  );
}
