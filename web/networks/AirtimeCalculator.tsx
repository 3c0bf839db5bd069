import {
  airtimeMs,
  allowedPercent,
  bandwidthsKhz,
  dutyCyclePercent,
  perHourAtOnePercent,
  spreadingFactors,
} from '@telltale/domain/lorawan/airtime.ts';
import { Alert, InputNumber, Select } from 'antd';
import { useId, useState } from 'react';
import { figureText } from '../ui/figureText.ts';
import { Section } from '../ui/Section.tsx';
import styles from './Networks.module.css';

const codingRates = [1, 2, 3, 4].map((rate) => ({ value: rate, label: `4/${rate + 4}` }));
const most = { bytes: 242, perHour: 3600 };

/** The duration of a transmission, and whether so many of them are allowed. */
export function AirtimeCalculator() {
  const id = useId();
  const [bytes, setBytes] = useState(12);
  const [sf, setSf] = useState<number>(9);
  const [bandwidth_khz, setBandwidth] = useState<number>(125);
  const [coding_rate, setCodingRate] = useState(1);
  const [perHour, setPerHour] = useState(4);
  const ms = airtimeMs({ bytes, sf, bandwidth_khz, coding_rate });
  const percent = dutyCyclePercent(ms, perHour);
  const allowed = perHourAtOnePercent(ms);
  return (
    <Section level={2} title="Airtime calculator">
      <div className={styles.calculator}>
        <div>
          <label htmlFor={`${id}-bytes`}>Payload in bytes</label>
          <InputNumber id={`${id}-bytes`} min={0} max={most.bytes} precision={0} value={bytes} onChange={(value) => setBytes(value ?? 0)} />
        </div>
        <div>
          <label htmlFor={`${id}-sf`}>Spreading factor</label>
          <Select id={`${id}-sf`} value={sf} options={spreadingFactors.map((value) => ({ value, label: `SF${value}` }))} onChange={setSf} />
        </div>
        <div>
          <label htmlFor={`${id}-bw`}>Bandwidth</label>
          <Select
            id={`${id}-bw`}
            value={bandwidth_khz}
            options={bandwidthsKhz.map((value) => ({ value, label: `${value} kHz` }))}
            onChange={setBandwidth}
          />
        </div>
        <div>
          <label htmlFor={`${id}-cr`}>Coding rate</label>
          <Select id={`${id}-cr`} value={coding_rate} options={codingRates} onChange={setCodingRate} />
        </div>
        <div>
          <label htmlFor={`${id}-rate`}>Messages per hour</label>
          <InputNumber
            id={`${id}-rate`}
            min={0}
            max={most.perHour}
            precision={0}
            value={perHour}
            onChange={(value) => setPerHour(value ?? 0)}
          />
        </div>
      </div>
      <output className={styles.result}>
        <span>
          <b>{figureText(Number(ms.toFixed(1)))} ms</b> on air
        </span>
        <span>
          <b>{figureText(Number(percent.toFixed(3)))} %</b> duty cycle
        </span>
        <span>
          at most <b>{allowed.toLocaleString('en')}</b> per hour at {allowedPercent} %
        </span>
      </output>
      {percent > allowedPercent && (
        <Alert
          type="warning"
          showIcon
          title={`Too much air for a duty cycle of ${allowedPercent} %: send at most ${allowed.toLocaleString('en')} per hour, shorten the payload or lower the spreading factor.`}
        />
      )}
    </Section>
  );
}
