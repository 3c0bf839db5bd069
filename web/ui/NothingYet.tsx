import styles from './EmptyState.module.css';

/** An empty part of a page: one quiet line. */
export const NothingYet = ({ children }: { children: string }) => <p className={styles.line}>{children}</p>;
