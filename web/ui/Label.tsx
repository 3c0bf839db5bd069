import { Link } from 'react-router';
import styles from './Label.module.css';

interface LabelProps {
  children: string;
  to?: string;
}

/** A small word on a ground: a tag, a group, "built-in". Long ones are cut, the whole stands in the title. */
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
