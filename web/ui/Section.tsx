import type { ReactNode } from 'react';
import styles from './Section.module.css';

/** A titled part of a page, divided by a hairline. */
export function Section({ title, level = 3, children }: { title: string; level?: 2 | 3; children: ReactNode }) {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.section}>
      <Heading className={styles.title}>{title}</Heading>
      {children}
    </section>
  );
}
