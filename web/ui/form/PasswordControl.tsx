import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { Input } from 'antd';
import { type ControlProps, textOf } from './control.ts';
import { FieldIcon } from './FieldIcon.tsx';
import { typedOverMask } from './typedOverMask.ts';

/** A saved secret shows as dashes: it cannot be revealed, and typing replaces it as a whole. */
export function PasswordControl({ id, field, value, onChange, isFaulty, isGood, describedBy }: ControlProps) {
  const text = textOf(value);
  const isSaved = text === secretMask;
  return (
    <Input.Password
      id={id}
      name={field.name}
      value={text}
      placeholder={field.placeholder}
      readOnly={field.readOnly}
      autoComplete={field.autoComplete ?? 'new-password'}
      autoFocus={field.autoFocus}
      status={isFaulty ? 'error' : ''}
      visibilityToggle={!isSaved && text !== ''}
      suffix={<FieldIcon isFaulty={isFaulty} isGood={isGood} />}
      aria-required={field.required}
      aria-invalid={isFaulty}
      aria-describedby={describedBy}
      onFocus={(event) => isSaved && event.target.select()}
      onChange={(event) => onChange(typedOverMask(text, event.target.value))}
    />
  );
}
