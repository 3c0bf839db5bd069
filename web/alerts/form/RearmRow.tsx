import { Select } from 'antd';
import { useId } from 'react';
import { rearmSentence } from '../rearmSentence.ts';
import { DurationInput } from './DurationInput.tsx';
import styles from './Form.module.css';
import { Row } from './Row.tsx';

type Mode = 'once' | 'each' | 'at_most';

/** The modes, in the words of A4. */
const modes: readonly { value: Mode; label: string }[] = [
  { value: 'once', label: 'Just once until back to normal' },
  { value: 'each', label: 'Each time the alert is evaluated until back to normal' },
  { value: 'at_most', label: 'At most every' },
];
const modeOf = (rearm: number): Mode => (rearm === 0 ? 'once' : rearm === 1 ? 'each' : 'at_most');
/** A4 and A9 */
const firstOf: Record<Mode, number> = { once: 0, each: 1, at_most: 3600 };
const label = 'When triggered, send notification';

interface RearmRowProps {
  rearm: number;
  onChange: (rearm: number) => void;
}

export function RearmRow({ rearm, onChange }: RearmRowProps) {
  const id = useId();
  const mode = modeOf(rearm);
  return (
    <Row label={label}>
      <div className={styles.fields}>
        <label htmlFor={id} className="visually-hidden">
          {label}
        </label>
        <Select<Mode>
          id={id}
          value={mode}
          options={[...modes]}
          popupMatchSelectWidth={false}
          className={mode === 'at_most' ? styles.mode : styles.wide}
          onChange={(next) => onChange(firstOf[next])}
        />
        {mode === 'at_most' && (
          <span className={styles.after}>
            {/* One second means the mode before. */}
            <DurationInput id={`${id}-interval`} label="interval" seconds={rearm} least={2} onChange={onChange} />, when evaluated
          </span>
        )}
      </div>
    </Row>
  );
}

export const RearmText = ({ rearm }: { rearm: number }) => (
  <Row label={label}>
    <p className={styles.text}>{rearmSentence(rearm)}</p>
  </Row>
);
