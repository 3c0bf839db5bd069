import type { ReactNode } from 'react';
import styles from './PictureTitle.module.css';

interface PictureTitleProps {
  picture: ReactNode;
  name: string;
  /** The line below the name. */
  below: string;
  /** Behind the name: "Built-in". */
  label?: ReactNode;
}

/** The title of an object's page: its mark, its name, and its kind below it. */
export function PictureTitle({ picture, name, below, label }: PictureTitleProps) {
  return (
    <span className={styles.title}>
      {picture}
      <span className={styles.name}>
        {name}
        <span className={styles.below}>{below}</span>
      </span>
      {label}
    </span>
  );
}
