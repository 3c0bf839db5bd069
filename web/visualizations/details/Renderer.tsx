import { pageInRange } from '@telltale/domain/lists/paging.ts';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { Paginator } from '../../ui/items/Paginator.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { AboutButton } from '../columns/AboutButton.tsx';
import { Cell, type OpenedCell } from '../columns/Cell.tsx';
import { columnView } from '../columns/columnView.ts';
import type { RendererProps } from '../define.ts';
import { NoPicture, whyNoRows } from '../NoPicture.tsx';
import styles from './Details.module.css';
import type { DetailsOptions } from './detailsOptions.ts';

const { Part: CellDialog, preloadWhenIdle } = lazyPart(() => import('../columns/CellDialog.tsx').then((m) => m.CellDialog));

/** visualizations 7: one row, its values one below the other. */
export default function DetailsRenderer({ table, options, settings, name }: RendererProps<DetailsOptions>) {
  const [wantedPage, setPage] = useState(1);
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  useEffect(preloadWhenIdle, []);
  const columns = useMemo(
    () => options.columns.filter(({ visible }) => visible).map((column) => columnView(column, settings)),
    [options.columns, settings],
  );
  const page = pageInRange(wantedPage, 1, table.rows.length);
  const row = table.rows[page - 1];
  if (!row) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  return (
    <div className={styles.root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className={styles.scroller} tabIndex={0} aria-label={name || 'Details'}>
        <table className={styles.table}>
          <tbody>
            {columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">
                  {column.title || column.name}
                  {column.description && <AboutButton label={`About ${column.title}`} text={column.description} className={styles.about} />}
                </th>
                <td className={styles[column.alignContent]}>
                  <Cell column={column} row={row} width={Number.POSITIVE_INFINITY} isOneLine={false} onOpen={setOpened} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className={styles.pages}>
        <Paginator page={page} pageSize={1} total={table.rows.length} onPage={setPage} />
      </div>
      {opened && (
        <Suspense>
          <CellDialog cell={opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </div>
  );
}
