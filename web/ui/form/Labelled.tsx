import type { ReactNode } from 'react';
import styles from './Form.module.css';

interface LabelledProps {
  /** The id of the control. */
  id: string;
  label: ReactNode;
  children: ReactNode;
  isRequired?: boolean;
  fault?: string | undefined;
  /** A sentence under the control. */
  info?: ReactNode;
  /** Content at the right end of the label's line. */
  aside?: ReactNode;
}

/** A control with its label, its fault and its info, for forms whose fields depend on each other. */
export function Labelled({ id, label, children, isRequired = false, fault, info, aside }: LabelledProps) {
  return (
    <div className={styles.row}>
      <span className={styles.head}>
        <label className={isRequired ? styles.requiredLabel : styles.label} htmlFor={id}>
          {label}
        </label>
        {aside}
      </span>
      {children}
      {fault && (
        <p id={`${id}-fault`} className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      {info && (
        <p id={`${id}-info`} className={styles.info}>
          {info}
        </p>
      )}
    </div>
  );
}
