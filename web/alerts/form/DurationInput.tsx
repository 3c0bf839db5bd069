import { longestSeconds } from '@telltale/domain/alerts/options.ts';
import { type IntervalUnit, intervalParts } from '@telltale/domain/schedules/intervals.ts';
import { InputNumber, Select, Space } from 'antd';
import { useState } from 'react';

/** A4 */
const units: readonly { value: IntervalUnit; label: string; seconds: number }[] = [
  { value: 'second', label: 'Second', seconds: 1 },
  { value: 'minute', label: 'Minute', seconds: 60 },
  { value: 'hour', label: 'Hour', seconds: 3600 },
  { value: 'day', label: 'Day', seconds: 86_400 },
  { value: 'week', label: 'Week', seconds: 604_800 },
];
const lengthOf = (unit: IntervalUnit) => units.find(({ value }) => value === unit)?.seconds ?? 1;

interface DurationInputProps {
  id: string;
  /** The name of the duration, for the labels of both controls. */
  label: string;
  seconds: number;
  least: number;
  isDisabled?: boolean;
  onChange: (seconds: number) => void;
}

/** A number and its unit. A stored duration is shown in the largest unit that divides it evenly (A4), a typed one as typed. */
export function DurationInput({ id, label, seconds, least, isDisabled = false, onChange }: DurationInputProps) {
  const [shown, setShown] = useState(() => ({ seconds, ...partsOf(seconds) }));
  const { count, unit } = shown.seconds === seconds ? shown : partsOf(seconds);
  const change = (nextCount: number, nextUnit: IntervalUnit) => {
    const length = lengthOf(nextUnit);
    const kept = Math.min(Math.max(nextCount, Math.ceil(least / length)), Math.floor(longestSeconds / length));
    setShown({ seconds: kept * length, count: kept, unit: nextUnit });
    onChange(kept * length);
  };
  return (
    <Space.Compact>
      <InputNumber
        id={id}
        aria-label={label}
        value={count}
        min={Math.ceil(least / lengthOf(unit))}
        max={Math.floor(longestSeconds / lengthOf(unit))}
        precision={0}
        disabled={isDisabled}
        style={{ width: 80 }}
        onChange={(next) => next !== null && change(next, unit)}
      />
      <Select<IntervalUnit>
        aria-label={`Unit of ${label}`}
        value={unit}
        disabled={isDisabled}
        options={units.map(({ value, label: name }) => ({ value, label: name }))}
        style={{ width: 104 }}
        onChange={(next) => change(count, next)}
      />
    </Space.Compact>
  );
}

/** Zero would otherwise count as a number of weeks. */
const partsOf = (seconds: number) => (seconds === 0 ? { count: 0, unit: 'minute' as const } : intervalParts(seconds));
