import { Select } from 'antd';
import type { ReactNode } from 'react';
import { Field } from '../../editor/Field.tsx';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [value: T, label: string])[];
  onChange: (value: T) => void;
  isDisabled?: boolean;
  note?: ReactNode;
}

/** A choice of one of a few options. */
export function Choice<T extends string>({ label, value, options, onChange, isDisabled = false, note }: ChoiceProps<T>) {
  return (
    <Field label={label} note={note}>
      {(id) => (
        <Select<T>
          id={id}
          value={value}
          disabled={isDisabled}
          listHeight={400}
          options={options.map(([one, text]) => ({ value: one, label: text }))}
          onChange={onChange}
        />
      )}
    </Field>
  );
}
