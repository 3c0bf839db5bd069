import { DatePicker, Input, Select, TimePicker } from 'antd';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import type { ValueKind } from './conditionDraft.ts';
import styles from './Events.module.css';

dayjs.extend(customParseFormat);

interface ValueInputProps {
  label: string;
  kind: ValueKind;
  value: string;
  isFaulty: boolean;
  onChange: (value: string) => void;
}

/** A9: the shown and stored formats of dates and times. */
const formats = {
  date: { shown: 'DD.MM.YYYY', stored: 'YYYY-MM-DD' },
  time: { shown: 'HH:mm', stored: 'HH:mm:ss' },
  datetime: { shown: 'DD.MM.YYYY HH:mm', stored: 'YYYY-MM-DD HH:mm:ss' },
} as const;

export function ValueInput({ label, kind, value, isFaulty, onChange }: ValueInputProps) {
  const shared = { 'aria-label': label, status: isFaulty ? ('error' as const) : ('' as const), className: styles.value ?? '' };
  if (kind === 'boolean')
    return (
      <Select
        {...shared}
        value={value}
        options={['true', 'false'].map((one) => ({ value: one, label: one }))}
        onChange={(next: string) => onChange(next)}
      />
    );
  if (kind === 'number' || kind === 'text')
    return (
      <Input
        {...shared}
        inputMode={kind === 'number' ? 'decimal' : 'text'}
        autoComplete="off"
        aria-invalid={isFaulty}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  const { shown, stored } = formats[kind];
  const read = dayjs(value, stored, true);
  const picker = { ...shared, format: shown, value: read.isValid() ? read : null, placeholder: shown, needConfirm: false };
  if (kind === 'time') return <TimePicker {...picker} onChange={(next) => onChange(next ? next.format(stored) : '')} />;
  return (
    <DatePicker
      {...picker}
      {...(kind === 'datetime' && { showTime: { format: 'HH:mm' } })}
      onChange={(next) => onChange(next ? next.format(stored) : '')}
    />
  );
}
