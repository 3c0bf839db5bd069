import { Checkbox, InputNumber } from 'antd';
import { DelayedInput } from '../../editor/DelayedInput.tsx';
import { Field } from '../../editor/Field.tsx';
import {
  type ChartType,
  canNormalize,
  canStack,
  canSwap,
  chartTypeNames,
  chartTypes,
  hasErrors,
  hasGroups,
  hasLineShape,
  hasMissingValues,
} from '../chartTypes.ts';
import { mappingOf } from '../columnMapping.ts';
import type { ChartTabProps } from './ChartTab.ts';
import { Choice } from './Choice.tsx';
import { ColumnChoice } from './ColumnChoice.tsx';
import { changedType } from './changeType.ts';
import styles from './Tab.module.css';

/** visualizations 5.16, General. */
export function GeneralTab(props: ChartTabProps) {
  const { table, options, onOptionsChange } = props;
  const type = options.globalSeriesType;
  // Custom code does not run, so the type is not offered; a chart that has it still shows it.
  const offered = chartTypes.filter((one) => one !== 'custom' || type === 'custom');
  return (
    <div className={styles.tab}>
      <Choice<ChartType>
        label="Chart Type"
        value={type}
        options={offered.map((one) => [one, chartTypeNames[one]])}
        onChange={(next) => onOptionsChange(changedType(options, next, table.columns))}
      />
      {type === 'custom' ? (
        <p className={styles.note}>
          Custom JavaScript is not run here: it could act for everybody who looks at the chart. The code stays stored as it is.
        </p>
      ) : (
        <>
          {canSwap(type) && (
            <Checkbox checked={options.swappedAxes === true} onChange={({ target }) => onOptionsChange({ swappedAxes: target.checked })}>
              Horizontal Chart
            </Checkbox>
          )}
          <Columns {...props} />
          {type === 'bubble' && <BubbleFields {...props} />}
          {type === 'pie' && <PieFields {...props} />}
          <LegendFields {...props} />
          {type === 'box' && (
            <Checkbox checked={options.showpoints === true} onChange={({ target }) => onOptionsChange({ showpoints: target.checked })}>
              Show All Points
            </Checkbox>
          )}
          <ValueFields {...props} />
          <LinkFields {...props} />
        </>
      )}
    </div>
  );
}

function Columns(props: ChartTabProps) {
  const { options, table } = props;
  const type = options.globalSeriesType;
  const mapping = mappingOf(options, table.columns);
  const one = (name: string | undefined) => (name === undefined ? [] : [name]);
  const isSwapped = options.swappedAxes === true;
  return (
    <>
      <ColumnChoice {...props} label={isSwapped ? 'Y Column' : 'X Column'} as="x" value={one(mapping.x)} />
      <ColumnChoice {...props} label={isSwapped ? 'X Columns' : 'Y Columns'} as="y" value={mapping.y} isMultiple />
      {hasGroups(type) && <ColumnChoice {...props} label="Group by" as="series" value={one(mapping.series)} />}
      {mapping.series !== undefined && mapping.y.length > 1 && hasGroups(type) && (
        <p className={styles.note}>Each group has a series for every Y column, named “group / column”.</p>
      )}
      {type === 'bubble' && <ColumnChoice {...props} label="Bubble Size Column" as="size" value={one(mapping.size)} />}
      {type === 'heatmap' && <ColumnChoice {...props} label="Color Column" as="zVal" value={one(mapping.zVal)} />}
      {hasErrors(type) && <ColumnChoice {...props} label="Errors column" as="yError" value={one(mapping.yError)} />}
    </>
  );
}

function BubbleFields({ options, onOptionsChange }: ChartTabProps) {
  return (
    <div className={styles.pair}>
      <Field label="Bubble Size Coefficient">
        {(id) => (
          <InputNumber
            id={id}
            value={options.coefficient}
            min={0}
            step={0.1}
            style={{ width: '100%' }}
            onChange={(coefficient) => onOptionsChange({ coefficient: coefficient ?? 1 })}
          />
        )}
      </Field>
      <Choice
        label="Bubble Size Proportional To"
        value={options.sizemode}
        options={[
          ['area', 'Area'],
          ['diameter', 'Diameter'],
        ]}
        onChange={(sizemode) => onOptionsChange({ sizemode })}
      />
    </div>
  );
}

function PieFields({ options, onOptionsChange }: ChartTabProps) {
  return (
    <div className={styles.pair}>
      <Choice
        label="Direction"
        value={options.direction.type}
        options={[
          ['counterclockwise', 'Counterclockwise'],
          ['clockwise', 'Clockwise'],
        ]}
        onChange={(type) => onOptionsChange({ direction: { ...options.direction, type } })}
      />
      <Choice
        label="Sort"
        value={String(options.piesort)}
        options={[
          ['true', 'By size'],
          ['false', 'As in the result'],
        ]}
        onChange={(value) => onOptionsChange({ piesort: value === 'true' })}
      />
    </div>
  );
}

function LegendFields({ options: { legend }, onOptionsChange }: ChartTabProps) {
  const placement = legend.enabled ? legend.placement : 'hide';
  const place = (next: 'hide' | 'auto' | 'below') =>
    onOptionsChange({ legend: { ...legend, enabled: next !== 'hide', ...(next !== 'hide' && { placement: next }) } });
  return (
    <div className={styles.pair}>
      <Choice
        label="Legend Placement"
        value={placement}
        options={[
          ['hide', 'Hide legend'],
          ['auto', 'Right'],
          ['below', 'Bottom'],
        ]}
        note={placement === 'auto' ? 'Below the plot where that is narrower than 600 px' : undefined}
        onChange={place}
      />
      <Choice
        label="Legend Items Order"
        value={legend.traceorder}
        isDisabled={!legend.enabled}
        options={[
          ['normal', 'Normal'],
          ['reversed', 'Reversed'],
        ]}
        onChange={(traceorder) => onOptionsChange({ legend: { ...legend, traceorder } })}
      />
    </div>
  );
}

function ValueFields({ options, onOptionsChange }: ChartTabProps) {
  const { globalSeriesType: type, series, lineShape, missingValuesAsZero } = options;
  return (
    <>
      {type !== 'heatmap' && (
        <Choice
          label="Stacking"
          value={series.stacking && canStack(type) ? 'stack' : 'disabled'}
          isDisabled={!canStack(type)}
          options={[
            ['disabled', 'Disabled'],
            ['stack', 'Stack'],
          ]}
          onChange={(value) => onOptionsChange({ series: { ...series, stacking: value === 'stack' ? 'stack' : null } })}
        />
      )}
      {canNormalize(type) && (
        <Checkbox
          checked={series.percentValues === true}
          onChange={({ target }) => onOptionsChange({ series: { ...series, percentValues: target.checked } })}
        >
          Normalize values to percentage
        </Checkbox>
      )}
      {hasLineShape(type) && (
        <Choice
          label="Line Shape"
          value={lineShape}
          options={[
            ['linear', 'Linear'],
            ['spline', 'Spline'],
            ['hv', 'Horizontal-vertical steps'],
            ['vh', 'Vertical-horizontal steps'],
          ]}
          onChange={(next) => onOptionsChange({ lineShape: next })}
        />
      )}
      {hasMissingValues(type) && (
        <Choice
          label="Missing and NULL values"
          value={missingValuesAsZero ? 'zero' : 'gap'}
          options={[
            ['gap', 'Do not display in chart'],
            ['zero', 'Convert to 0 and display in chart'],
          ]}
          onChange={(value) => onOptionsChange({ missingValuesAsZero: value === 'zero' })}
        />
      )}
    </>
  );
}

/** visualizations 5.14. */
function LinkFields({ options: { globalSeriesType, enableLink, linkOpenNewTab, linkFormat }, onOptionsChange }: ChartTabProps) {
  if (globalSeriesType === 'heatmap') return null;
  return (
    <>
      <Checkbox checked={enableLink} onChange={({ target }) => onOptionsChange({ enableLink: target.checked })}>
        Enable click events
      </Checkbox>
      {enableLink && (
        <>
          <Checkbox checked={linkOpenNewTab} onChange={({ target }) => onOptionsChange({ linkOpenNewTab: target.checked })}>
            Open in new tab
          </Checkbox>
          <Field
            label="URL template"
            note="{{ @@x }} and {{ @@y }} are the point that is clicked. Where several series meet, {{ @@x1 }}, {{ @@y1 }} are the first, {{ @@x2 }}, {{ @@y2 }} the second."
          >
            {(id) => (
              <DelayedInput
                id={id}
                value={linkFormat}
                isCode
                placeholder="https://example.org/?time={{ @@x }}"
                onChange={(value) => onOptionsChange({ linkFormat: value })}
              />
            )}
          </Field>
        </>
      )}
    </>
  );
}
