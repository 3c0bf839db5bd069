import { DatePicker } from 'antd';
import dayjs from 'dayjs';

interface DayInputProps {
  /** `YYYY-MM-DD`, or nothing. */
  value: string;
  onChange: (day: string) => void;
  label: string;
  /** The first day that can be chosen. */
  min?: string;
  isRequired?: boolean;
}

const stored = 'YYYY-MM-DD';

/** A day, shown with its month as a word; the browser's own field follows the language of the machine. */
export function DayInput({ value, onChange, label, min, isRequired = false }: DayInputProps) {
  return (
    <DatePicker
      value={value ? dayjs(value, stored, true) : null}
      format={['D MMM YYYY', stored]}
      allowClear={!isRequired}
      onChange={(day) => onChange(day ? day.format(stored) : '')}
      aria-label={label}
      {...(min && { minDate: dayjs(min, stored, true) })}
    />
  );
}
