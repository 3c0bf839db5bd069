import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import styles from './Schedules.module.css';
import { wallClock } from './zones.ts';

dayjs.extend(customParseFormat);

/** A5 */
const format = 'YYYY-MM-DD HH:mm:ss';

interface OneTimePickerProps {
  id: string;
  /** The stored wall time of the chosen zone. */
  value: string;
  zone: string;
  onChange: (value: string) => void;
}

/** A5: past times of the chosen zone cannot be picked, and the field cannot be emptied. */
export function OneTimePicker({ id, value, zone, onChange }: OneTimePickerProps) {
  const now = wallClock(new Date(), zone);
  const today = now.slice(0, 10);
  const [hour = 0, minute = 0, second = 0] = now.slice(11).split(':').map(Number);
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
  const read = dayjs(value, format, true);
  return (
    <DatePicker
      id={id}
      className={styles.picker ?? ''}
      format={format}
      showTime={{ format: 'HH:mm:ss' }}
      showNow={false}
      needConfirm={false}
      allowClear={false}
      value={read.isValid() ? read : null}
      placeholder={format}
      disabledDate={(day) => day.format('YYYY-MM-DD') < today}
      disabledTime={(day: Dayjs | null) => {
        if (!day || day.format('YYYY-MM-DD') > today) return {};
        return {
          disabledHours: () => upTo(hour),
          disabledMinutes: (chosen) => (chosen === hour ? upTo(minute) : []),
          disabledSeconds: (chosen, minutes) => (chosen === hour && minutes === minute ? upTo(second) : []),
        };
      }}
      onChange={(next) => next && onChange(next.format(format))}
    />
  );
}
