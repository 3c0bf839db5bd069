import { type ReactNode, useId } from 'react';
import styles from './Editor.module.css';

interface FieldProps {
  label: string;
  children: (id: string) => ReactNode;
  /** Content beside the label, such as help about formats. */
  help?: ReactNode;
  /** Content under the control. */
  note?: ReactNode;
}

export function Field({ label, children, help, note }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <span className={styles.label}>
        <label htmlFor={id}>{label}</label>
        {help}
      </span>
      {children(id)}
      {note && <span className={styles.note}>{note}</span>}
    </div>
  );
}
