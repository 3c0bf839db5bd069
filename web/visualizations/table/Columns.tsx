import { memo } from 'react';
import type { ColumnView } from '../columns/columnView.ts';

interface ColumnsProps {
  columns: readonly ColumnView[];
  widths: readonly number[];
}

/** The last column takes the remaining room, so that narrow columns do not stretch (visualizations 4.3). */
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
