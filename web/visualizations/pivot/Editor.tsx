import { Switch } from 'antd';
import { useId } from 'react';
import type { EditorProps } from '../define.ts';
import { Fields } from '../editor/fields.tsx';
import styles from './Editor.module.css';
import type { PivotOptions } from './pivotOptions.ts';

/** visualizations 12: the rest is set in the preview itself, by dragging columns and choosing there. */
export default function PivotEditor({ options, onOptionsChange }: EditorProps<PivotOptions>) {
  const { controls, rendererOptions } = options;
  const { table } = rendererOptions;
  const setTotals = (totals: Partial<typeof table>) =>
    onOptionsChange({ rendererOptions: { ...rendererOptions, table: { ...table, ...totals } } });
  return (
    <Fields>
      <SwitchField
        label="Show Pivot Controls"
        value={!controls.enabled}
        onChange={(isShown) => onOptionsChange({ controls: { ...controls, enabled: !isShown } })}
      />
      <SwitchField label="Show Row Totals" value={table.rowTotals} onChange={(rowTotals) => setTotals({ rowTotals })} />
      <SwitchField label="Show Column Totals" value={table.colTotals} onChange={(colTotals) => setTotals({ colTotals })} />
      <p className={styles.note}>Columns, figures and their drawing are chosen in the preview, and saved with the visualization.</p>
    </Fields>
  );
}

function SwitchField({ label, value, onChange }: { label: string; value: boolean; onChange: (value: boolean) => void }) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <Switch id={id} size="small" checked={value} onChange={onChange} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
