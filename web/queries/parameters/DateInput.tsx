import ThunderboltFilled from '@ant-design/icons/ThunderboltFilled';
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined';
import { isRangeType, type ParameterType, type QueryParameter } from '@telltale/domain/parameters/contract.ts';
import {
  type Clock,
  dynamicValues,
  precisionOf,
  resolveDynamicDate,
  resolveDynamicRange,
} from '@telltale/domain/parameters/dynamic-dates.ts';
import type { ParameterValue } from '@telltale/domain/parameters/values.ts';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { useSession } from '../../api/session.ts';
import { MenuButton } from '../../ui/MenuButton.tsx';
import styles from './ParameterBar.module.css';
import { limitFor } from './parameterDefinition.ts';
import { useViewerClock, viewerTimeZone } from './viewerClock.ts';

dayjs.extend(customParseFormat);

/** Q9: the stored formats of dates. */
export const storedFormats = { day: 'YYYY-MM-DD', minute: 'YYYY-MM-DD HH:mm', second: 'YYYY-MM-DD HH:mm:ss' };
export const timeFormats = { day: '', minute: ' HH:mm', second: ' HH:mm:ss' };

interface DateInputProps {
  id: string;
  type: ParameterType;
  value: ParameterValue;
  min?: QueryParameter['min'];
  max?: QueryParameter['max'];
  onChange: (value: ParameterValue) => void;
}

/** Screens 8.4: a picker, and a menu of dynamic dates behind the lightning. */
export default function DateInput({ id, type, value, min, max, onChange }: DateInputProps) {
  const { dateFormat } = useSession().client_config;
  const clock = useViewerClock()();
  const precision = precisionOf(type);
  const stored = storedFormats[precision];
  const choices = dynamicValues(type);
  const dynamic = choices.find((choice) => choice.value === value);
  const limit = (given: QueryParameter['min']) => {
    const text = limitFor(type, given);
    return text === null ? null : dayjs(text);
  };
  const [minDate, maxDate] = [limit(min), limit(max)];
  const shared = {
    id,
    format: dateFormat + timeFormats[precision],
    ...(precision !== 'day' && { showTime: { format: timeFormats[precision].trim() } }),
    className: styles.date ?? '',
    ...(minDate && { minDate }),
    ...(maxDate && { maxDate }),
  };
  const read = (text: string | undefined) => (text ? dayjs(text, stored) : null);
  const write = (date: Dayjs) => date.format(stored);

  const picker = isRangeType(type) ? (
    <DatePicker.RangePicker
      {...shared}
      id={{ start: id, end: `${id}-end` }}
      value={isRange(value) ? [read(value.start), read(value.end)] : null}
      placeholder={dynamic ? [dynamic.name, ''] : ['Start', 'End']}
      onChange={(dates) => {
        const [start, end] = dates ?? [];
        onChange(start && end ? { start: write(start), end: write(end) } : null);
      }}
    />
  ) : (
    <DatePicker
      {...shared}
      value={typeof value === 'string' && !dynamic ? read(value) : null}
      placeholder={dynamic?.name ?? (precision === 'day' ? 'Select Date' : 'Select Date and Time')}
      onChange={(date) => onChange(date ? write(date) : null)}
    />
  );

  return (
    <span className={styles.withMenu} data-dynamic={dynamic ? '' : undefined} title={dynamic && `${dynamic.name} in ${viewerTimeZone()}`}>
      {picker}
      {isRangeType(type) && (
        <label className={styles.unseen} htmlFor={`${id}-end`}>
          End
        </label>
      )}
      <MenuButton
        type="text"
        icon={dynamic ? <ThunderboltFilled /> : <ThunderboltOutlined />}
        title="Dynamic values"
        aria-label={dynamic ? `Dynamic value: ${dynamic.name}` : 'Dynamic values'}
        placement="bottomLeft"
        menu={{
          style: { maxHeight: 360, overflow: 'auto' },
          selectedKeys: dynamic ? [dynamic.value] : [],
          items: [
            { type: 'group', key: 'zone', label: `Time zone: ${viewerTimeZone()}` },
            ...choices.map((choice) => ({
              key: choice.value,
              label: (
                <span className={styles.choice}>
                  {choice.name} <small>{previewOf(choice.value, type, clock)}</small>
                </span>
              ),
            })),
            ...(dynamic ? [{ type: 'divider' as const }, { key: 'static', label: '← Back to Static Value' }] : []),
          ],
          onClick: ({ key }) => onChange(key === 'static' ? resolvedNow(String(value), type, clock) : key),
        }}
      />
    </span>
  );
}

const isRange = (value: ParameterValue): value is { start: string; end: string } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const resolvedNow = (value: string, type: ParameterType, clock: Clock): ParameterValue =>
  isRangeType(type) ? resolveDynamicRange(value, type, clock) : resolveDynamicDate(value, type, clock);

/** "Aug 3 - Aug 9", the current dates in the viewer's zone. */
function previewOf(value: string, type: ParameterType, clock: Clock): string {
  const short = (text: string) => dayjs(text).format(/12_months|year/.test(value) ? 'MMM D, YYYY' : 'MMM D');
  if (/Hours/.test(value)) return '';
  if (!isRangeType(type)) return short(resolveDynamicDate(value, type, clock) ?? '');
  const range = resolveDynamicRange(value, 'date-range', clock);
  if (!range) return '';
  return range.start === range.end ? short(range.start) : `${short(range.start)} - ${short(range.end)}`;
}
