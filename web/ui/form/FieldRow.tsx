import { type ComponentType, lazy, Suspense } from 'react';
import { CheckboxControl } from './CheckboxControl.tsx';
import type { ControlProps } from './control.ts';
import { FileControl } from './FileControl.tsx';
import styles from './Form.module.css';
import { type Field, type FieldType, isEmptyValue } from './field.ts';
import { PasswordControl } from './PasswordControl.tsx';
import { SecretAreaControl } from './SecretAreaControl.tsx';
import { TextAreaControl } from './TextAreaControl.tsx';
import { TextControl } from './TextControl.tsx';
import type { FormState } from './useFormState.ts';

/** Loaded lazily: it is by far the largest control, and not in every form. */
const SelectControl = lazy(() => import('./SelectControl.tsx'));

const controls: Record<Exclude<FieldType, 'content'>, ComponentType<ControlProps>> = {
  text: TextControl,
  email: TextControl,
  number: TextControl,
  password: PasswordControl,
  textarea: TextAreaControl,
  'secret-area': SecretAreaControl,
  checkbox: CheckboxControl,
  select: SelectControl,
  'multi-select': SelectControl,
  tags: SelectControl,
  file: FileControl,
};

interface FieldRowProps {
  field: Field;
  form: FormState;
  id: string;
}

export function FieldRow({ field, form, id }: FieldRowProps) {
  const value = form.values[field.name];
  const fault = form.shownFault(field.name);
  const describedBy = [fault && `${id}-fault`, field.info && `${id}-info`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={field.type === 'checkbox' ? `${styles.row} ${styles.ticked}` : styles.row}>
      {field.type !== 'checkbox' && <FieldLabel field={field} id={id} />}
      {field.type === 'content' ? (
        <div className={styles.content}>{field.content}</div>
      ) : (
        <Suspense fallback={<span className={styles.waiting} />}>
          <Control
            control={controls[field.type]}
            id={id}
            field={field}
            value={value}
            onChange={(next) => form.set(field.name, next)}
            isFaulty={fault !== undefined}
            isGood={form.isTouched(field.name) && fault === undefined && !isEmptyValue(value)}
            describedBy={describedBy}
          />
        </Suspense>
      )}
      {fault && (
        <p id={`${id}-fault`} className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      {field.info && (
        <p id={`${id}-info`} className={styles.info}>
          {field.info}
        </p>
      )}
    </div>
  );
}

function Control({ control: Component, ...props }: ControlProps & { control: ComponentType<ControlProps> }) {
  return <Component {...props} />;
}

function FieldLabel({ field: { title, type, required, readOnly }, id }: { field: Field; id: string }) {
  if (type === 'content') return <span className={styles.label}>{title}</span>;
  return (
    <label className={required && !readOnly ? styles.requiredLabel : styles.label} htmlFor={id}>
      {title}
    </label>
  );
}
