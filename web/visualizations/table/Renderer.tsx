import { pageInRange } from '@telltale/domain/lists/paging.ts';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Paginator } from '../../ui/items/Paginator.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { AboutButton } from '../columns/AboutButton.tsx';
import type { OpenedCell } from '../columns/Cell.tsx';
import { type ColumnView, columnView } from '../columns/columnView.ts';
import type { RendererProps } from '../define.ts';
import { SaveView } from '../SaveView.tsx';
import { PageGrid } from './PageGrid.tsx';
import { searchPlaceholder } from './searchTexts.ts';
import { mostDrawnRows, rowHeight } from './sizes.ts';
import styles from './Table.module.css';
import type { TableOptions } from './tableOptions.ts';
import { useColumnWidths } from './useColumnWidths.ts';
import { useElementSize } from './useElementSize.ts';
import { VirtualGrid } from './VirtualGrid.tsx';
import { nextSort, type SortItem } from './view/sortState.ts';
import { useTableView } from './view/useTableView.ts';

const { Part: CellDialog, preloadWhenIdle } = lazyPart(() => import('../columns/CellDialog.tsx').then((m) => m.CellDialog));
const unsorted: readonly SortItem[] = [];
/** The bar of the browser. */
const scrollBar = 16;

/** Sort, search and page are the viewer's and outlive a refresh of the data (complaint 34). */
export default function TableRenderer({ table, options, settings, context, name, onSaveView }: RendererProps<TableOptions>) {
  const kept = options.sort ?? unsorted;
  const [chosen, setSort] = useState<readonly SortItem[] | null>(null);
  const sort = chosen ?? kept;
  const [term, setTerm] = useState('');
  const [wantedPage, setPage] = useState(1);
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(root);
  useEffect(preloadWhenIdle, []);

  const all = useMemo(() => options.columns.map((column) => columnView(column, settings)), [options.columns, settings]);
  const columns = useMemo(() => all.filter(({ visible }) => visible), [all]);
  const searched = useMemo(() => all.filter(({ allowSearch }) => allowSearch), [all]);
  const sorted = useMemo(() => sort.filter((item) => columns.some((column) => column.name === item.name)), [sort, columns]);
  const { view, progress } = useTableView(useViewRequest(table, columns, searched, sorted, term));
  const size = options.itemsPerPage;
  const isLong = Math.min(size, table.rows.length) > mostDrawnRows;
  const { widths, resize, reset } = useColumnWidths(columns, table.rows, width - scrollBar, isLong);

  const page = pageInRange(wantedPage, size, view.count);
  const before = (page - 1) * size;
  const count = Math.max(0, Math.min(size, view.count - before));
  const keyAt = useCallback((index: number) => (view.order ? (view.order[before + index] ?? -1) : before + index), [view, before]);
  const rowAt = useCallback((index: number) => view.rows[keyAt(index)], [view, keyAt]);
  const onSort = useCallback(
    (column: string, isAdded: boolean) => {
      setSort((current) => nextSort(current ?? kept, column, isAdded));
      setPage(1);
    },
    [kept],
  );
  const search = (next: string) => {
    setTerm(next);
    setPage(1);
  };

  const Grid = count > mostDrawnRows ? VirtualGrid : PageGrid;
  return (
    <div ref={root} className={styles.root} aria-busy={progress !== null}>
      {searched.length > 0 && <Search columns={searched} term={term} onSearch={search} />}
      {progress !== null && (
        <div className={styles.progress} role="progressbar" aria-label="Arranging rows" aria-valuenow={Math.round(progress * 100)}>
          <i style={{ transform: `scaleX(${progress})` }} />
        </div>
      )}
      <Grid
        columns={columns}
        widths={widths}
        count={count}
        rowAt={rowAt}
        keyAt={keyAt}
        before={before}
        total={view.count}
        label={name || 'Table'}
        topOf={`${page} ${term} ${JSON.stringify(sorted)}`}
        sort={sorted}
        onSort={onSort}
        onResize={resize}
        onResetWidth={reset}
        onOpen={setOpened}
        {...(Grid === VirtualGrid && { rowHeight: rowHeightOf(columns) })}
      />
      {view.count === 0 && <p className={styles.none}>{whyNothing(table.isFiltered, term)}</p>}
      {onSaveView && JSON.stringify(sorted) !== JSON.stringify(kept) && (
        <SaveView onSave={() => onSaveView({ sort: sorted }).then(() => setSort(null))} onReset={() => setSort(null)} />
      )}
      <div className={context === 'widget' ? styles.smallPages : styles.pages}>
        <Paginator page={page} pageSize={size} total={view.count} onPage={setPage} />
      </div>
      {opened && (
        <Suspense>
          <CellDialog cell={opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </div>
  );
}

function useViewRequest(
  { columns: queried, rows }: RendererProps<TableOptions>['table'],
  columns: readonly ColumnView[],
  searched: readonly ColumnView[],
  sort: readonly SortItem[],
  term: string,
) {
  const by = useMemo(
    () =>
      sort.flatMap(({ name, isDescending }) => {
        const column = columns.find((one) => one.name === name);
        return column ? [{ read: column.read, type: queried.find((one) => one.name === name)?.type ?? null, isDescending }] : [];
      }),
    [sort, columns, queried],
  );
  const texts = useMemo(() => searched.map(({ text }) => text), [searched]);
  return useMemo(() => ({ rows, sort: by, texts, term: texts.length > 0 ? term : '' }), [rows, by, texts, term]);
}

/** Rows of one height, high enough for pictures of known height. */
function rowHeightOf(columns: readonly ColumnView[]): number {
  const heights = columns.map(({ displayAs, imageHeight }) => (displayAs === 'image' ? Number(imageHeight) || 0 : 0));
  return Math.max(rowHeight, Math.min(200, Math.max(0, ...heights)) + 8);
}

/** Complaint 9: the reason why there are no rows. */
function whyNothing(isFiltered: boolean, term: string): string {
  if (term) return `No rows contain “${term}”.`;
  return isFiltered ? 'No rows match the filters.' : 'Query returned no rows';
}

interface SearchProps {
  columns: readonly ColumnView[];
  term: string;
  onSearch: (term: string) => void;
}

function Search({ columns, term, onSearch }: SearchProps) {
  const titles = columns.map(({ title, name }) => title || name);
  const placeholder = searchPlaceholder(titles);
  return (
    <div className={styles.search}>
      <SearchBox value={term} onSearch={onSearch} placeholder={placeholder} label={placeholder} />
      {titles.length > 3 && <AboutButton label="Searched columns" text={titles.join(', ')} className={styles.about} />}
    </div>
  );
}
