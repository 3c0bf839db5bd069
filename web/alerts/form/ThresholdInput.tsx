import type { Threshold } from '@telltale/domain/alerts/options.ts';
import { DatePicker, Input, Select, TimePicker } from 'antd';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import type { ThresholdKind } from '../thresholds.ts';

dayjs.extend(customParseFormat);

interface ThresholdInputProps {
  id: string;
  kind: ThresholdKind;
  value: Threshold;
  isDisabled: boolean;
  onChange: (value: Threshold) => void;
}

/** A9: how dates and times are stored. */
const stored = { date: 'YYYY-MM-DD', time: 'HH:mm:ss', datetime: 'YYYY-MM-DD HH:mm:ss' } as const;

/** A9: dates are shown as DD.MM.YYYY and times as HH:mm, independent of the organisation's format. */
export function ThresholdInput({ id, kind, value, isDisabled, onChange }: ThresholdInputProps) {
  if (kind === 'plain')
    return (
      <Input
        id={id}
        value={String(value)}
        disabled={isDisabled}
        maxLength={1000}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
    );
  if (kind === 'boolean')
    return (
      <Select
        id={id}
        value={String(value)}
        disabled={isDisabled}
        options={['true', 'false'].map((text) => ({ value: text, label: text }))}
        onChange={(text) => onChange(text)}
      />
    );
  const chosen = dayjs(String(value), stored[kind], true);
  const shared = {
    id,
    disabled: isDisabled,
    needConfirm: false,
    value: chosen.isValid() ? chosen : null,
    onChange: (next: dayjs.Dayjs | null) => onChange(next ? next.format(stored[kind]) : ''),
  };
  if (kind === 'time') return <TimePicker {...shared} format="HH:mm" />;
  if (kind === 'date') return <DatePicker {...shared} format="DD.MM.YYYY" />;
  return <DatePicker {...shared} format="DD.MM.YYYY HH:mm" showTime={{ format: 'HH:mm' }} />;
}
