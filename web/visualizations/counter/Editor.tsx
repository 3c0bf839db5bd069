import { Tabs } from 'antd';
import { useMemo } from 'react';
import type { EditorProps } from '../define.ts';
import { separatorsOf } from '../displaySettings.ts';
import { CheckField, ColumnField, Fields, NumberField, TextField } from '../editor/fields.tsx';
import { counterModel } from './counterModel.ts';
import type { CounterOptions } from './counterOptions.ts';

/** visualizations 6. */
export default function CounterEditor(props: EditorProps<CounterOptions>) {
  return (
    <Tabs
      items={[
        { key: 'general', label: 'General', children: <General {...props} /> },
        { key: 'format', label: 'Format', children: <Format {...props} /> },
      ]}
    />
  );
}

function General({ table, options, name, onOptionsChange }: EditorProps<CounterOptions>) {
  const isCounting = options.countRow ?? false;
  return (
    <Fields>
      <TextField
        label="Counter Label"
        value={options.counterLabel}
        placeholder={name}
        onChange={(counterLabel) => onOptionsChange({ counterLabel })}
      />
      <ColumnField
        label="Counter Value Column Name"
        value={options.counterColName}
        columns={table.columns}
        isDisabled={isCounting}
        onChange={(column) => onOptionsChange({ counterColName: column ?? '' })}
      />
      <NumberField
        label="Counter Value Row Number"
        value={options.rowNumber}
        isWhole
        isDisabled={isCounting}
        note="From the top; negative numbers count from the bottom."
        onChange={(rowNumber) => onOptionsChange({ rowNumber: rowNumber ?? 1 })}
      />
      <ColumnField
        label="Target Value Column Name"
        value={options.targetColName ?? ''}
        columns={table.columns}
        none="No target value"
        onChange={(targetColName) => onOptionsChange({ targetColName: targetColName ?? '' })}
      />
      <NumberField
        label="Target Value Row Number"
        value={options.targetRowNumber}
        isWhole
        isDisabled={!options.targetColName}
        onChange={(targetRowNumber) => onOptionsChange({ targetRowNumber: targetRowNumber ?? 1 })}
      />
      <CheckField label="Count Rows" value={isCounting} onChange={(countRow) => onOptionsChange({ countRow })} />
    </Fields>
  );
}

function Format({ table, options, settings, name, onOptionsChange }: EditorProps<CounterOptions>) {
  const isDisabled = useMemo(() => !counterModel(table, options, name, separatorsOf(settings)).isNumber, [table, options, settings, name]);
  return (
    <Fields>
      <NumberField
        label="Formatting Decimal Place"
        value={options.stringDecimal}
        min={0}
        max={20}
        isWhole
        isDisabled={isDisabled}
        onChange={(stringDecimal) => onOptionsChange({ stringDecimal })}
      />
      <TextField
        label="Formatting Decimal Character"
        value={options.stringDecChar}
        isDisabled={isDisabled}
        onChange={(stringDecChar) => onOptionsChange({ stringDecChar })}
      />
      <TextField
        label="Formatting Thousands Separator"
        value={options.stringThouSep}
        isDisabled={isDisabled}
        onChange={(stringThouSep) => onOptionsChange({ stringThouSep })}
      />
      <TextField
        label="Formatting String Prefix"
        value={options.stringPrefix ?? ''}
        isDisabled={isDisabled}
        onChange={(stringPrefix) => onOptionsChange({ stringPrefix })}
      />
      <TextField
        label="Formatting String Suffix"
        value={options.stringSuffix ?? ''}
        isDisabled={isDisabled}
        onChange={(stringSuffix) => onOptionsChange({ stringSuffix })}
      />
      <CheckField
        label="Format Target Value"
        value={options.formatTargetValue ?? false}
        onChange={(formatTargetValue) => onOptionsChange({ formatTargetValue })}
      />
    </Fields>
  );
}
