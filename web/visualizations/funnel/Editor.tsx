import { Tabs } from 'antd';
import type { EditorProps } from '../define.ts';
import styles from '../editor/Editor.module.css';
import { CheckField, ColumnField, Fields, FormatField, NumberField, SelectField, TextField } from '../editor/fields.tsx';
import type { FunnelOptions } from './funnelOptions.ts';

/** visualizations 9. */
export default function FunnelEditor(props: EditorProps<FunnelOptions>) {
  return (
    <Tabs
      items={[
        { key: 'general', label: 'General', children: <General {...props} /> },
        { key: 'appearance', label: 'Appearance', children: <Appearance {...props} /> },
      ]}
    />
  );
}

function General({ table: { columns }, options, onOptionsChange }: EditorProps<FunnelOptions>) {
  const { stepCol, valueCol, sortKeyCol } = options;
  return (
    <Fields>
      <ColumnField
        label="Step Column"
        value={stepCol.colName}
        columns={columns}
        onChange={(colName) => onOptionsChange({ stepCol: { ...stepCol, colName } })}
      />
      <TextField
        label="Step Column Title"
        value={stepCol.displayAs}
        onChange={(displayAs) => onOptionsChange({ stepCol: { ...stepCol, displayAs } })}
      />
      <ColumnField
        label="Value Column"
        value={valueCol.colName}
        columns={columns}
        onChange={(colName) => onOptionsChange({ valueCol: { ...valueCol, colName } })}
      />
      <TextField
        label="Value Column Title"
        value={valueCol.displayAs}
        onChange={(displayAs) => onOptionsChange({ valueCol: { ...valueCol, displayAs } })}
      />
      <CheckField label="Custom Sorting" value={!options.autoSort} onChange={(isCustom) => onOptionsChange({ autoSort: !isCustom })} />
      {!options.autoSort && (
        <>
          <ColumnField
            label="Sort Column"
            value={sortKeyCol.colName}
            columns={columns}
            onChange={(colName) => onOptionsChange({ sortKeyCol: { ...sortKeyCol, colName } })}
          />
          <SelectField
            label="Sort Order"
            value={sortKeyCol.reverse ? 'desc' : 'asc'}
            options={[
              { value: 'asc', label: 'ascending' },
              { value: 'desc', label: 'descending' },
            ]}
            isDisabled={sortKeyCol.colName === null}
            onChange={(order) => onOptionsChange({ sortKeyCol: { ...sortKeyCol, reverse: order === 'desc' } })}
          />
        </>
      )}
    </Fields>
  );
}

function Appearance({ options, onOptionsChange }: EditorProps<FunnelOptions>) {
  const { percentValuesRange: range } = options;
  return (
    <Fields>
      <FormatField
        label="Number Values Format"
        value={options.numberFormat}
        onChange={(numberFormat) => onOptionsChange({ numberFormat })}
      />
      <FormatField
        label="Percent Values Format"
        value={options.percentFormat}
        onChange={(percentFormat) => onOptionsChange({ percentFormat })}
      />
      <NumberField
        label="Items Count Limit"
        value={options.itemsLimit}
        min={2}
        isWhole
        onChange={(itemsLimit) => onOptionsChange({ itemsLimit: itemsLimit ?? 100 })}
      />
      <div className={styles.pair}>
        <NumberField
          label="Min Percent Value"
          value={range.min}
          min={0}
          step={0.01}
          onChange={(min) => onOptionsChange({ percentValuesRange: { ...range, min: min ?? 0.01 } })}
        />
        <NumberField
          label="Max Percent Value"
          value={range.max}
          min={0}
          onChange={(max) => onOptionsChange({ percentValuesRange: { ...range, max: max ?? 1000 } })}
        />
      </div>
    </Fields>
  );
}
