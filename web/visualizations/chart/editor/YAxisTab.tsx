import { Checkbox, InputNumber } from 'antd';
import { DelayedInput } from '../../editor/DelayedInput.tsx';
import { Field } from '../../editor/Field.tsx';
import { titleOf, type YAxisOptions } from '../chartOptions.ts';
import { scales } from './axisChoices.ts';
import type { ChartTabProps } from './ChartTab.ts';
import { Choice } from './Choice.tsx';
import styles from './Tab.module.css';
import { TickHelp } from './TickHelp.tsx';

/** visualizations 5.16, Y Axis. */
export function YAxisTab({ options, onOptionsChange }: ChartTabProps) {
  const { yAxis, alignYAxesAtZero, globalSeriesType, swappedAxes, sortY, reverseY } = options;
  const isHeatmap = globalSeriesType === 'heatmap';
  const change = (at: number, changes: Partial<YAxisOptions>) =>
    onOptionsChange({ yAxis: yAxis.map((axis, place) => (place === at ? { ...axis, ...changes } : axis)) });
  const [left, right] = yAxis;
  return (
    <div className={styles.tab}>
      {left && (
        <AxisFields
          title={isHeatmap ? 'Y Axis' : 'Left Y Axis'}
          axis={left}
          isPlain={isHeatmap}
          onChange={(changes) => change(0, changes)}
        />
      )}
      {right && !isHeatmap && swappedAxes !== true && (
        <>
          <AxisFields title="Right Y Axis" axis={right} isPlain={false} onChange={(changes) => change(1, changes)} />
          <Checkbox checked={alignYAxesAtZero} onChange={({ target }) => onOptionsChange({ alignYAxesAtZero: target.checked })}>
            Align Y Axes at Zero
          </Checkbox>
        </>
      )}
      {isHeatmap && (
        <>
          <Checkbox checked={sortY === true} onChange={({ target }) => onOptionsChange({ sortY: target.checked })}>
            Sort Values
          </Checkbox>
          <Checkbox checked={reverseY === true} onChange={({ target }) => onOptionsChange({ reverseY: target.checked })}>
            Reverse Order
          </Checkbox>
        </>
      )}
    </div>
  );
}

interface AxisFieldsProps {
  title: string;
  axis: YAxisOptions;
  /** For a heatmap, which has neither scale nor ends. */
  isPlain: boolean;
  onChange: (changes: Partial<YAxisOptions>) => void;
}

function AxisFields({ title, axis, isPlain, onChange }: AxisFieldsProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {!isPlain && <Choice label="Scale" value={axis.type} options={scales} onChange={(type) => onChange({ type })} />}
      <Field label="Name">
        {(id) => <DelayedInput id={id} value={titleOf(axis)} onChange={(text) => onChange({ title: { text } })} />}
      </Field>
      {!isPlain && (
        <>
          <Field label="Tick Format" help={<TickHelp />}>
            {(id) => (
              <DelayedInput
                id={id}
                value={axis.tickFormat ?? ''}
                isCode
                placeholder="Auto"
                onChange={(tickFormat) => onChange({ tickFormat })}
              />
            )}
          </Field>
          <div className={styles.pair}>
            <Bound label="Min Value" value={axis.rangeMin} onChange={(rangeMin) => onChange({ rangeMin })} />
            <Bound label="Max Value" value={axis.rangeMax} onChange={(rangeMax) => onChange({ rangeMax })} />
          </div>
        </>
      )}
    </fieldset>
  );
}

function Bound({ label, value, onChange }: { label: string; value: number | null | undefined; onChange: (value: number | null) => void }) {
  return (
    <Field label={label}>
      {(id) => (
        <InputNumber
          id={id}
          value={value ?? null}
          placeholder="Auto"
          style={{ width: '100%' }}
          onChange={(next) => onChange(next ?? null)}
        />
      )}
    </Field>
  );
}
