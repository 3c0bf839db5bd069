import { Select } from 'antd';
import type { ControlProps } from './control.ts';
import type { Choice } from './field.ts';

const modes = { 'multi-select': 'multiple', tags: 'tags' } as const;

/** A selection of one or several items of a list, or of free tags. */
export default function SelectControl({ id, field, value, onChange, isFaulty, describedBy }: ControlProps) {
  const mode = field.type === 'multi-select' || field.type === 'tags' ? modes[field.type] : undefined;
  return (
    <Select<Choice | Choice[] | null>
      id={id}
      style={{ width: '100%' }}
      {...(mode && { mode })}
      value={valueFor(value, mode !== undefined)}
      options={(field.options ?? []).map((option) => ({ value: option.value, label: option.name }))}
      placeholder={field.placeholder}
      disabled={field.readOnly}
      autoFocus={field.autoFocus}
      allowClear={!mode && !field.required}
      showSearch={{ optionFilterProp: 'label' }}
      {...(field.type === 'tags' && { open: false, suffixIcon: null, tokenSeparators: [',', ' '] })}
      status={isFaulty ? 'error' : ''}
      aria-required={field.required}
      aria-invalid={isFaulty}
      aria-describedby={describedBy}
      onChange={(next) => onChange(next ?? null)}
    />
  );
}

function valueFor(value: ControlProps['value'], isMany: boolean): Choice | Choice[] | null {
  if (isMany) return Array.isArray(value) ? value : [];
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
