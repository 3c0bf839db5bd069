import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { DrawingContext, StoredOptions, VisualizationKind } from './define.ts';
import type { DisplaySettings } from './displaySettings.ts';
import { type ResultFilters, useResultFilters } from './filters/useResultFilters.ts';
import { findVisualization } from './index.ts';
import { PictureSkeleton } from './PictureSkeleton.tsx';
import { RenderBoundary } from './RenderBoundary.tsx';
import type { ResultSource, ResultTable } from './resultTable.ts';
import styles from './Visualization.module.css';

const Filters = lazy(() => import('./filters/Filters.tsx'));

interface Drawing {
  /** Another id is drawn anew below the same filters. */
  visualization: { id?: number | null; type: string; name: string; options: StoredOptions };
  /** Usually the `client_config` of the session. */
  settings: DisplaySettings;
  context?: DrawingContext;
  /** Set only in the editor's preview. */
  onOptionsChange?: (options: StoredOptions) => void;
  /** Keeps what the viewer has sorted, hidden or isolated as the default of this visualization. */
  onSaveView?: ((changes: StoredOptions) => Promise<unknown>) | undefined;
}

interface VisualizationRendererProps extends Drawing {
  /** `data` of a query result; the same object as long as it is the same result. */
  data: ResultSource;
  /** Shared with other pictures of the same result (`useResultFilters`); without them the picture has its own. */
  filters?: ResultFilters;
}

/** One visualization of a result: its filters above it, a skeleton while its code loads, and errors in its own place only. */
export function VisualizationRenderer({ data, filters, ...drawing }: VisualizationRendererProps) {
  return filters ? <FilteredVisualization {...drawing} filters={filters} /> : <OwnFilters {...drawing} data={data} />;
}

function OwnFilters({ data, ...drawing }: Drawing & { data: ResultSource }) {
  const filters = useResultFilters(data, { isKept: drawing.context !== 'widget' });
  return <FilteredVisualization {...drawing} filters={filters} />;
}

function FilteredVisualization({ filters, ...drawing }: Drawing & { filters: ResultFilters }) {
  const { visualization, settings } = drawing;
  const { id, type, options } = visualization;
  const kind = findVisualization(type);
  const { table } = filters;
  return (
    <div className={styles.visualization}>
      {filters.filters.length > 0 && (
        <Suspense fallback={<FiltersPlace />}>
          <Filters filters={filters.filters} settings={settings} onChoose={filters.choose} />
        </Suspense>
      )}
      {kind ? (
        <RenderBoundary key={id} resetOn={[table, options, type]}>
          <Suspense fallback={<PictureSkeleton />}>
            <Picture {...drawing} kind={kind} table={table} />
          </Suspense>
        </RenderBoundary>
      ) : (
        <div className={styles.problem} role="alert">
          <p>Unsupported visualization type</p>
          <code>{type}</code>
        </div>
      )}
    </div>
  );
}

const FiltersPlace = () => (
  <div className={styles.filtersPlace} role="status">
    <span className="visually-hidden">Loading…</span>
  </div>
);

function Picture({
  kind,
  table,
  visualization,
  settings,
  context = 'query',
  onOptionsChange,
  onSaveView,
}: Drawing & { kind: VisualizationKind; table: ResultTable }) {
  const { name, options } = visualization;
  const isCodeHere = useCode(kind);
  const summary = useMemo(() => kind.summary(table, options, settings), [kind, table, options, settings]);
  if (!isCodeHere) return <PictureSkeleton />;
  return (
    <figure className={styles.picture} aria-label={`${name || kind.name}. ${summary}`}>
      {kind.draw({ table, options, settings, context, name, onOptionsChange, onSaveView })}
    </figure>
  );
}

/** Whether the code of a kind is loaded, or cannot be loaded: then the drawing itself fails with an error. */
function useCode(kind: VisualizationKind): boolean {
  const [asked, setAsked] = useState<VisualizationKind | null>(null);
  const isHere = kind.isLoaded() || asked === kind;
  useEffect(() => {
    if (isHere) return;
    let isWanted = true;
    void kind.preload().then(() => isWanted && setAsked(kind));
    return () => {
      isWanted = false;
    };
  }, [kind, isHere]);
  return isHere;
}
