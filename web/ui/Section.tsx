import type { ReactNode } from 'react';
import styles from './Section.module.css';

/** A titled part of a page, divided by a hairline. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{title}</h3>
      {children}
    </section>
  );
}
