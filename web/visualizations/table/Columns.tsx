import { memo } from 'react';
import type { ColumnView } from '../columns/columnView.ts';

interface ColumnsProps {
  columns: readonly ColumnView[];
  widths: readonly number[];
}

/** The last one takes the room that is left, so that narrow columns do not stretch (visualizations 4.3). */
export const Columns = memo(function Columns({ columns, widths }: ColumnsProps) {
  return (
    <colgroup>
      {columns.map(({ name }, at) => (
        <col key={name} style={{ width: widths[at] }} />
      ))}
      <col />
    </colgroup>
  );
});
