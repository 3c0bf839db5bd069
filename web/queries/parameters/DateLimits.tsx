import type { ParameterType, QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { precisionOf } from '@telltale/domain/parameters/dynamic-dates.ts';
import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useSession } from '../../api/session.ts';
import { storedFormats, timeFormats } from './DateInput.tsx';
import { limitFor } from './parameterDefinition.ts';

interface DateLimitsProps {
  id: string;
  /** The type of one date, also for ranges. */
  type: ParameterType;
  min: QueryParameter['min'];
  max: QueryParameter['max'];
  onChange: (changes: Pick<QueryParameter, 'min' | 'max'>) => void;
}

/** The earliest and the latest date that may be chosen. */
export default function DateLimits({ id, type, min, max, onChange }: DateLimitsProps) {
  const { dateFormat } = useSession().client_config;
  const precision = precisionOf(type);
  const picker = (name: 'min' | 'max', limit: QueryParameter['min'], word: string) => {
    const text = limitFor(type, limit);
    return (
      <DatePicker
        id={name === 'min' ? id : `${id}-${name}`}
        aria-label={`${word} value`}
        placeholder={word}
        format={dateFormat + timeFormats[precision]}
        {...(precision !== 'day' && { showTime: { format: timeFormats[precision].trim() } })}
        value={text === null ? null : dayjs(text)}
        onChange={(date) => onChange({ [name]: date ? date.format(storedFormats[precision]) : null })}
      />
    );
  };
  return (
    <>
      {picker('min', min, 'Earliest')} to {picker('max', max, 'Latest')}
    </>
  );
}
