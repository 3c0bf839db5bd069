import { momentTicks, numberTicks } from '@telltale/domain/visualizations/tick-format.ts';
import styles from '../../editor/Editor.module.css';
import { HelpButton } from '../../editor/FormatHelp.tsx';

const numbers: readonly [format: string, value: number][] = [
  [',.2f', 1234567.891],
  ['.1%', 0.1234],
  ['$,.0f', 1234.5],
  ['~s', 1500],
  ['+.1f', 3],
];
const moments = ['%Y-%m-%d', '%b %d', '%H:%M', '%-d %B %Y', '%A'];
const moment = Date.UTC(2024, 1, 9, 7, 5);

/** visualizations 2.6. */
export function TickHelp() {
  return (
    <HelpButton label="Tick formats">
      <table className={styles.examples}>
        <thead>
          <tr>
            <th>Format</th>
            <th>Shown as</th>
          </tr>
        </thead>
        <tbody>
          {numbers.map(([format, value]) => (
            <Row key={format} format={format} text={numberTicks(format)?.(value)} />
          ))}
          {moments.map((format) => (
            <Row key={format} format={format} text={momentTicks(format)?.(moment)} />
          ))}
        </tbody>
      </table>
    </HelpButton>
  );
}

function Row({ format, text }: { format: string; text: string | undefined }) {
  return (
    <tr>
      <td>
        <code>{format}</code>
      </td>
      <td>{text}</td>
    </tr>
  );
}
