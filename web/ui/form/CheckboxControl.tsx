import { Checkbox } from 'antd';
import type { ControlProps } from './control.ts';

/** A check box with its own label. */
export function CheckboxControl({ id, field, value, onChange, describedBy }: ControlProps) {
  return (
    <Checkbox
      id={id}
      name={field.name}
      checked={value === true}
      disabled={field.readOnly}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.checked)}
    >
      {field.title}
    </Checkbox>
  );
}
