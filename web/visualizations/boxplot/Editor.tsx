import type { EditorProps } from '../define.ts';
import { Fields, TextField } from '../editor/fields.tsx';
import type { BoxplotOptions } from './boxplotOptions.ts';

/** visualizations 16. */
export default function BoxplotEditor({ options, onOptionsChange }: EditorProps<BoxplotOptions>) {
  return (
    <Fields>
      <TextField label="X Axis Label" value={options.xAxisLabel ?? ''} onChange={(xAxisLabel) => onOptionsChange({ xAxisLabel })} />
      <TextField label="Y Axis Label" value={options.yAxisLabel ?? ''} onChange={(yAxisLabel) => onOptionsChange({ yAxisLabel })} />
    </Fields>
  );
}
