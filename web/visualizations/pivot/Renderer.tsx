import { lazy, Suspense, useMemo, useState } from 'react';
import type { RendererProps } from '../define.ts';
import { NoPicture, whyNoRows } from '../NoPicture.tsx';
import { PictureSkeleton } from '../PictureSkeleton.tsx';
import { PivotControls } from './controls/PivotControls.tsx';
import { ordered } from './data/order.ts';
import { type MadePivot, usePivotData } from './data/usePivotData.ts';
import type { DrawingProps } from './draw/drawing.ts';
import PivotTable from './draw/PivotTable.tsx';
import { resultPrinter } from './draw/resultPrinter.ts';
import styles from './Pivot.module.css';
import type { PivotOptions } from './pivotOptions.ts';

const PivotChart = lazy(() => import('./draw/PivotChart.tsx'));
const PivotTsv = lazy(() => import('./draw/PivotTsv.tsx'));

/** visualizations 12: every reader may rearrange it; only the editor saves that. */
export default function PivotRenderer({ table, options: stored, settings, name, onOptionsChange }: RendererProps<PivotOptions>) {
  const [own, setOwn] = useState<{ of: PivotOptions; changes: Partial<PivotOptions> } | null>(null);
  const changes = own?.of === stored ? own.changes : null;
  const options = useMemo(() => (changes ? { ...stored, ...changes } : stored), [stored, changes]);
  const change = (next: Partial<PivotOptions>) => {
    if (onOptionsChange) onOptionsChange(next);
    else setOwn({ of: stored, changes: { ...changes, ...next } });
  };
  const { made, progress, known } = usePivotData(table, options, settings);
  if (table.rows.length === 0) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  return (
    <div className={styles.root} aria-busy={progress !== null}>
      {!options.controls.enabled && <PivotControls {...{ table, settings, options, known }} onChange={change} />}
      {progress !== null && (
        <div className={styles.progress} role="progressbar" aria-label="Counting rows" aria-valuenow={Math.round(progress * 100)}>
          <i style={{ transform: `scaleX(${progress})` }} />
        </div>
      )}
      {changes && (
        <p className={styles.note}>
          Changed for you, until the page is loaded again. The editor keeps changes for everybody.
          <button type="button" onClick={() => setOwn(null)}>
            Reset
          </button>
        </p>
      )}
      {made ? <Drawing made={made} options={options} label={name || 'Pivot table'} /> : <PictureSkeleton />}
    </div>
  );
}

function Drawing({ made, options, label }: { made: MadePivot; options: PivotOptions; label: string }) {
  const { request, data } = made;
  const { rendererName, rowOrder, colOrder, rendererOptions } = options;
  const shown = useMemo(() => ('tooMany' in data ? null : ordered(data, rowOrder, colOrder)), [data, rowOrder, colOrder]);
  const print = useMemo(() => {
    const input = request.columns.find((column) => column.name === request.inputs[0]);
    return resultPrinter(request.aggregatorName, input, request.settings);
  }, [request]);
  if ('tooMany' in data) return <NoPicture>{data.tooMany}</NoPicture>;
  if (!shown) return null;
  if (shown.count === 0) return <NoPicture>No row is left by the filters of the columns.</NoPicture>;
  const props: DrawingProps = {
    data: shown,
    rowAttributes: request.rowAttributes,
    colAttributes: request.colAttributes,
    rendererName,
    measure: [request.aggregatorName, request.inputs.join(' over ')].filter(Boolean).join(' of '),
    print,
    totals: rendererOptions.table,
    label,
    hasModeBar: request.settings.hidePlotlyModeBar !== true,
  };
  if (rendererName.startsWith('Table')) return <PivotTable {...props} />;
  return (
    <Suspense fallback={<PictureSkeleton />}>
      {rendererName === 'Exportable TSV' ? <PivotTsv {...props} /> : <PivotChart {...props} />}
    </Suspense>
  );
}
