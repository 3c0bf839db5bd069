import { Checkbox } from 'antd';
import { DelayedInput } from '../../editor/DelayedInput.tsx';
import { Field } from '../../editor/Field.tsx';
import { FormatHelp, HelpButton } from '../../editor/FormatHelp.tsx';
import { hasDataLabels } from '../chartTypes.ts';
import type { ChartTabProps } from './ChartTab.ts';
import styles from './Tab.module.css';

/** visualizations 5.16, Data Labels. */
export function LabelsTab({ options, onOptionsChange }: ChartTabProps) {
  return (
    <div className={styles.tab}>
      {hasDataLabels(options.globalSeriesType) && (
        <Checkbox checked={options.showDataLabels} onChange={({ target }) => onOptionsChange({ showDataLabels: target.checked })}>
          Show Data Labels
        </Checkbox>
      )}
      <Field label="Number Values Format" help={<FormatHelp kind="number" />}>
        {(id) => (
          <DelayedInput id={id} value={options.numberFormat} isCode onChange={(numberFormat) => onOptionsChange({ numberFormat })} />
        )}
      </Field>
      <Field label="Percent Values Format" help={<FormatHelp kind="number" />}>
        {(id) => (
          <DelayedInput id={id} value={options.percentFormat} isCode onChange={(percentFormat) => onOptionsChange({ percentFormat })} />
        )}
      </Field>
      <Field label="Date/Time Values Format" help={<FormatHelp kind="date" />}>
        {(id) => (
          <DelayedInput id={id} value={options.dateTimeFormat} isCode onChange={(dateTimeFormat) => onOptionsChange({ dateTimeFormat })} />
        )}
      </Field>
      <Field label="Data Labels" help={<TemplateHelp />}>
        {(id) => (
          <DelayedInput
            id={id}
            value={options.textFormat}
            isCode
            placeholder="(auto)"
            onChange={(textFormat) => onOptionsChange({ textFormat })}
          />
        )}
      </Field>
    </div>
  );
}

const references: readonly [name: string, meaning: string][] = [
  ['{{ @@name }}', 'series name'],
  ['{{ @@x }}', 'x value'],
  ['{{ @@y }}', 'y value'],
  ['{{ @@yPercent }}', 'percent of the sum, or of the pie'],
  ['{{ @@yError }}', 'error'],
  ['{{ @@size }}', 'size of the bubble'],
  ['{{ column }}', 'any column of the row, spaces included'],
];

function TemplateHelp() {
  return (
    <HelpButton label="What a label may hold">
      <ul className={styles.list}>
        {references.map(([name, meaning]) => (
          <li key={name}>
            <code>{name}</code> {meaning}
          </li>
        ))}
      </ul>
    </HelpButton>
  );
}
