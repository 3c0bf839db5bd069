import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { Checkbox, InputNumber, Select } from 'antd';
import type { ReactNode } from 'react';
import { ColorPicker } from './ColorPicker.tsx';
import { DelayedInput } from './DelayedInput.tsx';
import styles from './Editor.module.css';
import { Field } from './Field.tsx';
import { FormatHelp } from './FormatHelp.tsx';

interface OptionProps<T> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  isDisabled?: boolean;
  note?: ReactNode;
  placeholder?: string;
}

/** The parts of editors: a label and a control each. */
export const TextField = ({ label, value, onChange, note, placeholder, isDisabled = false }: OptionProps<string>) => (
  <Field label={label} note={note}>
    {(id) => <DelayedInput id={id} value={value} onChange={onChange} placeholder={placeholder} isDisabled={isDisabled} />}
  </Field>
);

export const FormatField = ({ label, value, onChange, kind = 'number' }: OptionProps<string> & { kind?: 'number' | 'date' }) => (
  <Field label={label} help={<FormatHelp kind={kind} />}>
    {(id) => <DelayedInput id={id} value={value} onChange={onChange} isCode />}
  </Field>
);

interface NumberFieldProps extends OptionProps<number | null> {
  min?: number;
  max?: number;
  step?: number;
  /** Accepts whole numbers only. */
  isWhole?: boolean;
}

export const NumberField = ({ label, value, onChange, min, max, step = 1, isWhole = false, isDisabled, note }: NumberFieldProps) => (
  <Field label={label} note={note}>
    {(id) => (
      <InputNumber<number>
        id={id}
        className={styles.wide ?? ''}
        value={value}
        step={step}
        disabled={isDisabled ?? false}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        {...(isWhole && { precision: 0 })}
        onChange={onChange}
      />
    )}
  </Field>
);

interface SelectFieldProps<T extends string> extends OptionProps<T> {
  options: readonly { value: T; label: ReactNode }[];
  help?: ReactNode;
}

export const SelectField = <T extends string>({ label, value, onChange, options, isDisabled, help, note }: SelectFieldProps<T>) => (
  <Field label={label} note={note} help={help}>
    {(id) => <Select<T> id={id} value={value} options={[...options]} disabled={isDisabled ?? false} onChange={onChange} />}
  </Field>
);

interface ColumnFieldProps extends OptionProps<string | null> {
  columns: readonly ResultColumn[];
  /** The first choice, which stores nothing. */
  none?: string;
}

/** A column of the result; a missing one is still named, so that the user sees what was chosen. */
export function ColumnField({ label, value, onChange, columns, none, isDisabled, note }: ColumnFieldProps) {
  const isKnown = value === null || value === '' || columns.some(({ name }) => name === value);
  const options = [
    ...(none === undefined ? [] : [{ value: '', label: none }]),
    ...columns.map(({ name }) => ({ value: name, label: name || '(no name)' })),
    ...(isKnown ? [] : [{ value: value ?? '', label: `${value} (not in the result)` }]),
  ];
  return (
    <Field label={label} note={note}>
      {(id) => (
        <Select<string>
          id={id}
          showSearch
          value={value ?? (none === undefined ? (null as unknown as string) : '')}
          placeholder="Choose a column..."
          options={options}
          disabled={isDisabled ?? false}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

export const CheckField = ({ label, value, onChange, isDisabled }: OptionProps<boolean>) => (
  <Checkbox checked={value} disabled={isDisabled ?? false} onChange={({ target }) => onChange(target.checked)}>
    {label}
  </Checkbox>
);

export const ColorField = ({ label, value, onChange }: OptionProps<string>) => (
  <div className={styles.color}>
    <ColorPicker value={value} label={label} onChange={(color) => color && onChange(color)} />
    <span aria-hidden>{label}</span>
  </div>
);

/** Fields one below the other, as in every tab. */
export const Fields = ({ children }: { children: ReactNode }) => <div className={styles.fields}>{children}</div>;
