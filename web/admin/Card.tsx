import type { ReactNode } from 'react';
import styles from './Card.module.css';

interface Entry {
  label: string;
  value: ReactNode;
}

interface CardProps {
  title: string;
  entries: readonly Entry[];
  /** A sentence below the title. */
  note?: ReactNode;
}

/** One card of System Status: labels and badges. */
export function Card({ title, entries, note }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {note && <p className={styles.note}>{note}</p>}
      {entries.length === 0 ? (
        <p className={styles.none}>No data</p>
      ) : (
        <dl className={styles.entries}>
          {entries.map(({ label, value }) => (
            <div key={label} className={styles.entry}>
              <dt title={label}>{label}</dt>
              <dd className={styles.badge}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
