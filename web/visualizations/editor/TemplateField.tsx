import { DelayedInput } from './DelayedInput.tsx';
import { Field } from './Field.tsx';

interface TemplateFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  note: string;
}

/** HTML with placeholders for values, on several lines. */
export const TemplateField = ({ label, value, onChange, placeholder, note }: TemplateFieldProps) => (
  <Field label={label} note={note}>
    {(id) => <DelayedInput id={id} value={value} onChange={onChange} placeholder={placeholder} isCode lines={4} />}
  </Field>
);
