import { Radio } from 'antd';

interface TimeSpanProps {
  seconds: number;
  options: readonly { value: number; label: string }[];
  onChange: (seconds: number) => void;
}

/** The choice of how far back charts of a device reach. */
export const TimeSpan = ({ seconds, options, onChange }: TimeSpanProps) => (
  <Radio.Group
    aria-label="Time span"
    size="small"
    optionType="button"
    value={seconds}
    options={[...options]}
    onChange={({ target }) => onChange(Number(target.value))}
  />
);
