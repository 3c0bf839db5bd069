import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined';
import { formatDate } from '@telltale/domain/visualizations/date-format.ts';
import { formatNumber } from '@telltale/domain/visualizations/number-format.ts';
import { Popover } from 'antd';
import type { ReactNode } from 'react';
import styles from './Editor.module.css';

const numbers: readonly [format: string, value: number][] = [
  ['0,0', 1234567.891],
  ['0,0.00', 1234.5],
  ['0[.]00', 12],
  ['0.0a', 1234567],
  ['0.0%', 12.345],
  ['$0,0.00', -1234.5],
  ['0.0b', 3072],
  ['0.0 ib', 3072],
  ['0o', 12],
  ['0.00e+0', 123456],
  ['00:00:00', 3661],
];
const moment = '2024-02-09T07:05:03.045Z';
const dates = ['DD/MM/YYYY HH:mm', 'YYYY-MM-DD HH:mm:ss.SSS', 'D MMM YYYY', 'ddd, MMMM Do', 'h:mm A', 'LLL', '[Week] W, GGGG', 'X'];

/** visualizations 3: the question mark beside a format. Dates are printed in UTC. */
export function FormatHelp({ kind }: { kind: 'number' | 'date' }) {
  const rows =
    kind === 'number'
      ? numbers.map(([format, value]) => ({ format, value: String(value), text: formatNumber(value, format) }))
      : dates.map((format) => ({ format, value: '', text: formatDate(moment, format) }));
  return (
    <HelpButton label={kind === 'number' ? 'Number formats' : 'Date and time formats (UTC)'}>
      <table className={styles.examples}>
        <thead>
          <tr>
            <th>Format</th>
            {kind === 'number' && <th>Value</th>}
            <th>Shown as</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ format, value, text }) => (
            <tr key={format}>
              <td>
                <code>{format}</code>
              </td>
              {kind === 'number' && <td>{value}</td>}
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </HelpButton>
  );
}

/** A question mark that opens on hover, focus and touch. */
export function HelpButton({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popover title={label} content={children} trigger={['hover', 'focus', 'click']} placement="right">
      <button type="button" className={styles.help} aria-label={label}>
        <QuestionCircleOutlined aria-hidden />
      </button>
    </Popover>
  );
}
