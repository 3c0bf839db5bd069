import type { ReactNode } from 'react';
import styles from './Form.module.css';

/** A row of the form: the label on the left, the controls beside it. */
export function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser
    <div className={styles.row} role="group" aria-label={label}>
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      <div className={styles.controls}>{children}</div>
    </div>
  );
}

interface FieldProps {
  id: string;
  label: string;
  children: ReactNode;
  /** The row is as wide as its content needs. */
  isNarrow?: boolean;
}

/** A small label above its control. */
export function Field({ id, label, children, isNarrow = false }: FieldProps) {
  return (
    <div className={isNarrow ? styles.narrow : styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}
