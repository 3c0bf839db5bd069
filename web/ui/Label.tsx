import { Link } from 'react-router';
import styles from './Label.module.css';

interface LabelProps {
  children: string;
  to?: string;
}

/** A small word on a background: a tag, a group, "built-in". Long ones are cut, and the title has the whole text. */
export function Label({ children, to }: LabelProps) {
  if (to === undefined) {
    return (
      <span className={styles.label} title={children}>
        {children}
      </span>
    );
  }
  return (
    <Link className={`${styles.label} ${styles.link}`} to={to} title={children}>
      {children}
    </Link>
  );
}
