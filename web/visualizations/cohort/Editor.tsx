import { Tabs } from 'antd';
import type { EditorProps } from '../define.ts';
import { CheckField, ColorField, ColumnField, Fields, FormatField, NumberField, SelectField, TextField } from '../editor/fields.tsx';
import type { CohortOptions } from './cohortOptions.ts';

type Props = EditorProps<CohortOptions>;

/** visualizations 8. */
export default function CohortEditor(props: Props) {
  return (
    <Tabs
      items={[
        { key: 'columns', label: 'Columns', children: <Columns {...props} /> },
        { key: 'options', label: 'Options', children: <Options {...props} /> },
        { key: 'colors', label: 'Colors', children: <Colors {...props} /> },
        { key: 'appearance', label: 'Appearance', children: <Appearance {...props} /> },
      ]}
    />
  );
}

const columnKeys = [
  ['dateColumn', 'Date (Bucket)'],
  ['stageColumn', 'Stage'],
  ['totalColumn', 'Bucket Population Size'],
  ['valueColumn', 'Stage Value'],
] as const;

const Columns = ({ table, options, onOptionsChange }: Props) => (
  <Fields>
    {columnKeys.map(([key, label]) => (
      <ColumnField
        key={key}
        label={label}
        value={options[key]}
        columns={table.columns}
        onChange={(column) => onOptionsChange({ [key]: column ?? '' })}
      />
    ))}
  </Fields>
);

const Options = ({ options, onOptionsChange }: Props) => (
  <Fields>
    <SelectField
      label="Time Interval"
      value={options.timeInterval}
      options={[
        { value: 'daily', label: 'Daily' },
        { value: 'weekly', label: 'Weekly' },
        { value: 'monthly', label: 'Monthly' },
      ]}
      onChange={(timeInterval) => onOptionsChange({ timeInterval })}
    />
    <SelectField
      label="Mode"
      value={options.mode}
      options={[
        { value: 'diagonal', label: 'Fill gaps with zeros' },
        { value: 'simple', label: 'Show data as is' },
      ]}
      onChange={(mode) => onOptionsChange({ mode })}
    />
  </Fields>
);

const Colors = ({ options: { colors }, onOptionsChange }: Props) => (
  <Fields>
    <ColorField label="Min Color" value={colors.min} onChange={(min) => onOptionsChange({ colors: { ...colors, min } })} />
    <ColorField label="Max Color" value={colors.max} onChange={(max) => onOptionsChange({ colors: { ...colors, max } })} />
    <NumberField
      label="Steps"
      value={colors.steps}
      min={3}
      max={20}
      isWhole
      onChange={(steps) => onOptionsChange({ colors: { ...colors, steps: steps ?? 7 } })}
    />
  </Fields>
);

const textKeys = [
  ['timeColumnTitle', 'Time Column Title'],
  ['peopleColumnTitle', 'People Column Title'],
  ['stageColumnTitle', 'Stage Column Title'],
] as const;

const Appearance = ({ options, onOptionsChange }: Props) => (
  <Fields>
    {textKeys.map(([key, label]) => (
      <TextField
        key={key}
        label={label}
        value={options[key]}
        note={key === 'stageColumnTitle' ? '{{ @ }} is the number of the stage, from 1.' : undefined}
        onChange={(text) => onOptionsChange({ [key]: text })}
      />
    ))}
    <FormatField label="Number Values Format" value={options.numberFormat} onChange={(numberFormat) => onOptionsChange({ numberFormat })} />
    <FormatField
      label="Percent Values Format"
      value={options.percentFormat}
      onChange={(percentFormat) => onOptionsChange({ percentFormat })}
    />
    <TextField
      label="No Value Placeholder"
      value={options.noValuePlaceholder}
      onChange={(noValuePlaceholder) => onOptionsChange({ noValuePlaceholder })}
    />
    <CheckField label="Show Tooltips" value={options.showTooltips} onChange={(showTooltips) => onOptionsChange({ showTooltips })} />
    <CheckField
      label="Normalize Values to Percentage"
      value={options.percentValues}
      onChange={(percentValues) => onOptionsChange({ percentValues })}
    />
  </Fields>
);
