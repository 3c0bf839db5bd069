import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './PictureName.module.css';

interface PictureNameProps {
  picture: ReactNode;
  name: string;
  /** The line below the name. */
  below?: string | undefined;
  to?: string | undefined;
  /** Behind the name: "Disabled", "Built-in". */
  label?: ReactNode;
}

/** A user or object in a row of 40 px: picture, name, and a line below it. */
export function PictureName({ picture, name, below, to, label }: PictureNameProps) {
  return (
    <span className={styles.row}>
      {picture}
      <span className={styles.text}>
        <span className={styles.line}>
          {to === undefined ? (
            <span className={styles.name} title={name}>
              {name}
            </span>
          ) : (
            <Link className={styles.name} to={to} title={name}>
              {name}
            </Link>
          )}
          {label}
        </span>
        {below && (
          <span className={styles.below} title={below}>
            {below}
          </span>
        )}
      </span>
    </span>
  );
}
