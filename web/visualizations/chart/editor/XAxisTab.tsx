import { Checkbox } from 'antd';
import { DelayedInput } from '../../editor/DelayedInput.tsx';
import { Field } from '../../editor/Field.tsx';
import { titleOf } from '../chartOptions.ts';
import { scalesWithAuto } from './axisChoices.ts';
import type { ChartTabProps } from './ChartTab.ts';
import { Choice } from './Choice.tsx';
import styles from './Tab.module.css';
import { TickHelp } from './TickHelp.tsx';

/** visualizations 5.16, X Axis. */
export function XAxisTab({ options: { xAxis, sortX, reverseX, globalSeriesType }, onOptionsChange }: ChartTabProps) {
  const change = (changes: Partial<typeof xAxis>) => onOptionsChange({ xAxis: { ...xAxis, ...changes } });
  return (
    <div className={styles.tab}>
      {globalSeriesType !== 'heatmap' && (
        <Choice label="Scale" value={xAxis.type} options={scalesWithAuto} onChange={(type) => change({ type })} />
      )}
      <Field label="Name">{(id) => <DelayedInput id={id} value={titleOf(xAxis)} onChange={(text) => change({ title: { text } })} />}</Field>
      {globalSeriesType !== 'heatmap' && (
        <Field label="Tick Format" help={<TickHelp />}>
          {(id) => (
            <DelayedInput
              id={id}
              value={xAxis.tickFormat ?? ''}
              isCode
              placeholder="Auto"
              onChange={(tickFormat) => change({ tickFormat })}
            />
          )}
        </Field>
      )}
      <Checkbox checked={sortX} onChange={({ target }) => onOptionsChange({ sortX: target.checked })}>
        Sort Values
      </Checkbox>
      <Checkbox checked={reverseX === true} onChange={({ target }) => onOptionsChange({ reverseX: target.checked })}>
        Reverse Order
      </Checkbox>
      <Checkbox checked={xAxis.labels.enabled} onChange={({ target }) => change({ labels: { ...xAxis.labels, enabled: target.checked } })}>
        Show Labels
      </Checkbox>
    </div>
  );
}
