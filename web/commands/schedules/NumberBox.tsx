import { InputNumber } from 'antd';
import styles from './Schedules.module.css';

interface NumberBoxProps {
  label: string;
  value: number;
  range: { min: number; max: number };
  onChange: (value: number) => void;
}

/** A whole number inside a sentence; a value out of range becomes the nearest bound. */
export function NumberBox({ label, value, range, onChange }: NumberBoxProps) {
  return (
    <InputNumber
      className={styles.number ?? ''}
      aria-label={label}
      value={value}
      min={range.min}
      max={range.max}
      precision={0}
      controls={false}
      changeOnWheel={false}
      onChange={(next) => next !== null && onChange(next)}
    />
  );
}
