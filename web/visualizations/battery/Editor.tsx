import { InputNumber } from 'antd';
import { useId } from 'react';
import type { EditorProps } from '../define.ts';
import styles from '../editor/Editor.module.css';
import { ColorField, ColumnField, Fields, FormatField, NumberField, TextField } from '../editor/fields.tsx';
import { isNumeric } from '../firstColumn.ts';
import type { BatteryLevel } from './batteryModel.ts';
import { type BatteryOptions, rangeFault } from './batteryOptions.ts';

const colorNames: readonly [BatteryLevel, string][] = [
  ['low', 'Low Color'],
  ['medium', 'Medium Color'],
  ['high', 'High Color'],
];

/** visualizations 17. */
export default function BatteryEditor({ table, options, onOptionsChange }: EditorProps<BatteryOptions>) {
  const numeric = table.columns.filter(isNumeric);
  return (
    <Fields>
      <ColumnField
        label="Value Column"
        value={options.valueColumn}
        columns={numeric.length > 0 ? numeric : table.columns}
        onChange={(valueColumn) => onOptionsChange({ valueColumn })}
      />
      <NumberField
        label="Row Number"
        value={options.rowNumber}
        isWhole
        note="From the top; negative numbers count from the bottom."
        onChange={(rowNumber) => onOptionsChange({ rowNumber: rowNumber ?? 1 })}
      />
      <RangeField options={options} onChange={(range) => onOptionsChange({ range })} />
      <TextField label="Label" value={options.label} onChange={(label) => onOptionsChange({ label })} />
      <FormatField label="Number Format" value={options.numberFormat} onChange={(numberFormat) => onOptionsChange({ numberFormat })} />
      <TextField label="Suffix" value={options.suffix} onChange={(suffix) => onOptionsChange({ suffix })} />
      <div className={styles.pair}>
        <NumberField
          label="Low up to, % of the range"
          value={options.lowThreshold}
          min={0}
          max={100}
          onChange={(lowThreshold) => onOptionsChange({ lowThreshold: lowThreshold ?? 20 })}
        />
        <NumberField
          label="Medium up to, % of the range"
          value={options.mediumThreshold}
          min={0}
          max={100}
          onChange={(mediumThreshold) => onOptionsChange({ mediumThreshold: mediumThreshold ?? 50 })}
        />
      </div>
      {colorNames.map(([level, label]) => (
        <ColorField
          key={level}
          label={label}
          value={options.colors[level]}
          onChange={(color) => onOptionsChange({ colors: { ...options.colors, [level]: color } })}
        />
      ))}
    </Fields>
  );
}

interface RangeFieldProps {
  options: BatteryOptions;
  onChange: (range: BatteryOptions['range']) => void;
}

/** Q5: the fault of equal ends is shown beside the inputs. */
function RangeField({ options, onChange }: RangeFieldProps) {
  const id = useId();
  const [empty, full] = options.range;
  const fault = rangeFault(options);
  const shared = { className: styles.wide ?? '', status: fault ? 'error' : '', 'aria-describedby': fault ? id : undefined } as const;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>Range</legend>
      <div className={styles.pair}>
        <InputNumber<number> {...shared} aria-label="Range start, empty" value={empty} onChange={(value) => onChange([value ?? 0, full])} />
        <InputNumber<number> {...shared} aria-label="Range end, full" value={full} onChange={(value) => onChange([empty, value ?? 0])} />
      </div>
      {fault && (
        <span id={id} className={styles.fault} role="alert">
          {fault}
        </span>
      )}
    </fieldset>
  );
}
