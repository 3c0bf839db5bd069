import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { matchedOrder } from './matchedOrder.ts';
import { finish, part, runSliced, type Sliced } from './sliced.ts';
import { type SortBy, sortedOrder } from './sortedOrder.ts';

export interface ViewRequest {
  rows: readonly ResultRow[];
  sort: readonly SortBy[];
  /** The texts to search. */
  texts: readonly ((row: ResultRow) => string)[];
  term: string;
}

/** Rows with their shown order; no order means the original one. */
interface TableView {
  rows: readonly ResultRow[];
  order: Uint32Array | null;
  count: number;
}

interface TableViewState {
  view: TableView;
  /** The progress of a new view; the former one is shown meanwhile. */
  progress: number | null;
}

const fewEnough = 5000;

/** Sorts and searches, at once where that is quick, else in slices. The request must stay the same object until it changes. */
export function useTableView(request: ViewRequest): TableViewState {
  const quick = useMemo(() => quickView(request), [request]);
  const [made, setMade] = useState<{ request: ViewRequest; view: TableView } | null>(null);
  const [progress, setProgress] = useState(0);
  const last = useRef<TableView | null>(null);
  const sorted = useRef<Sorted | null>(null);

  useEffect(() => {
    if (quick) return;
    const work = new AbortController();
    setProgress(0);
    void runSliced(makeView(request, sorted), { signal: work.signal, onProgress: setProgress }).then((view) => {
      if (view && !work.signal.aborted) setMade({ request, view });
    });
    return () => work.abort();
  }, [request, quick]);

  const ready = quick ?? (made?.request === request ? made.view : null);
  useEffect(() => {
    if (ready) last.current = ready;
  }, [ready]);
  if (ready) return { view: ready, progress: null };
  return { view: last.current ?? made?.view ?? plainView(request.rows), progress };
}

const plainView = (rows: readonly ResultRow[]): TableView => ({ rows, order: null, count: rows.length });

function quickView(request: ViewRequest): TableView | null {
  const { rows, sort, term } = request;
  if (sort.length === 0 && term === '') return plainView(rows);
  return rows.length <= fewEnough ? finish(makeView(request, { current: null })) : null;
}

interface Sorted {
  rows: readonly ResultRow[];
  sort: readonly SortBy[];
  order: Uint32Array;
}

/** Searching keeps the order, so typing does not sort again. */
function* makeView({ rows, sort, texts, term }: ViewRequest, kept: { current: Sorted | null }): Sliced<TableView> {
  const isKept = kept.current?.rows === rows && kept.current.sort === sort;
  let order = isKept ? (kept.current?.order ?? null) : null;
  if (sort.length > 0 && !order) {
    order = yield* part(sortedOrder(rows, sort), 0, term ? 0.5 : 1);
    kept.current = { rows, sort, order };
  }
  if (term) order = yield* part(matchedOrder(rows, order, texts, term), 0.5, 1);
  return { rows, order, count: order?.length ?? rows.length };
}
