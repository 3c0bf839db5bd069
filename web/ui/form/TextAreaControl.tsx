import { Input } from 'antd';
import { type ControlProps, textOf } from './control.ts';

export function TextAreaControl({ id, field, value, onChange, isFaulty, describedBy }: ControlProps) {
  return (
    <Input.TextArea
      id={id}
      name={field.name}
      value={textOf(value)}
      placeholder={field.placeholder}
      readOnly={field.readOnly}
      autoFocus={field.autoFocus}
      autoSize={{ minRows: 3, maxRows: 12 }}
      status={isFaulty ? 'error' : ''}
      aria-required={field.required}
      aria-invalid={isFaulty}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
