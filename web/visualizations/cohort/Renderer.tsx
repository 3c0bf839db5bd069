import { memo, useMemo } from 'react';
import { useThemeName } from '../../theme/themeChoice.ts';
import type { RendererProps } from '../define.ts';
import { missingColumns, NoPicture, whyNoRows } from '../NoPicture.tsx';
import styles from './Cohort.module.css';
import { cohortShades, type Shade } from './cohortColors.ts';
import { type CohortCell, type CohortRow, cohortModel, missingOf } from './cohortModel.ts';
import type { CohortOptions } from './cohortOptions.ts';

/** visualizations 8. */
export default function CohortRenderer({ table, options, settings, name }: RendererProps<CohortOptions>) {
  const theme = useThemeName();
  const model = useMemo(() => cohortModel(table, options, settings), [table, options, settings]);
  const shades = useMemo(() => cohortShades(options.colors, theme), [options.colors, theme]);
  const missing = missingOf(table, options);
  if (missing.length > 0) return <NoPicture>{missingColumns(missing)}</NoPicture>;
  if (table.rows.length === 0) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  if (!model) return <NoPicture>{`No row has a date in “${options.dateColumn}” and a number in “${options.stageColumn}”.`}</NoPicture>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={styles.scroller} tabIndex={0} aria-label={name || 'Cohort'}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{options.timeColumnTitle}</th>
            <th scope="col" className={styles.total}>
              {options.peopleColumnTitle}
            </th>
            {model.stages.map((stage, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a stage is its place
              <th key={at} scope="col" className={styles.stage}>
                {stage}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
            <Row key={at} row={row} shades={shades} />
          ))}
        </tbody>
      </table>
      {(model.left.rows > 0 || model.left.stages > 0) && (
        <p className={styles.cut}>
          Not drawn: {model.left.rows} more rows and {model.left.stages} more stages. Choose a longer interval or a shorter time.
        </p>
      )}
    </section>
  );
}

const Row = memo(function Row({ row, shades }: { row: CohortRow; shades: readonly Shade[] }) {
  return (
    <tr>
      <th scope="row">{row.label}</th>
      <td className={styles.total}>{row.total}</td>
      {row.cells.map((cell, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its stage
        <Value key={at} cell={cell} shades={shades} />
      ))}
    </tr>
  );
});

function Value({ cell, shades }: { cell: CohortCell | null; shades: readonly Shade[] }) {
  if (cell === null) return <td />;
  return (
    <td className={styles.value} style={cell.shade === null ? undefined : shades[cell.shade]} title={cell.tooltip || undefined}>
      {cell.text}
    </td>
  );
}
