import { Input } from 'antd';
import { type ControlProps, textOf } from './control.ts';
import { FieldIcon } from './FieldIcon.tsx';

const inputModes = { text: undefined, email: 'email', number: 'decimal' } as const;

/** Text, e-mail and number: a number is typed as text, so that a wheel or an arrow never changes a port. */
export function TextControl({ id, field, value, onChange, isFaulty, isGood, describedBy }: ControlProps) {
  const kind = field.type === 'email' || field.type === 'number' ? field.type : 'text';
  return (
    <Input
      id={id}
      name={field.name}
      type={kind === 'email' ? 'email' : 'text'}
      inputMode={inputModes[kind]}
      value={textOf(value)}
      placeholder={field.placeholder}
      readOnly={field.readOnly}
      autoComplete={field.autoComplete}
      autoFocus={field.autoFocus}
      spellCheck={false}
      status={isFaulty ? 'error' : ''}
      suffix={<FieldIcon isFaulty={isFaulty} isGood={isGood} />}
      aria-required={field.required}
      aria-invalid={isFaulty}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
