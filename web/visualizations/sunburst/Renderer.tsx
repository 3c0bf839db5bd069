import { SunburstChart } from 'echarts/charts';
import type { EChartsType } from 'echarts/core';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import type { RendererProps, StoredOptions } from '../define.ts';
import { textOn } from '../echarts/chartColors.ts';
import { EChart, useChartColors } from '../echarts/EChart.tsx';
import { registerParts } from '../echarts/parts.ts';
import { NoPicture, whyNoRows } from '../NoPicture.tsx';
import { useElementSize } from '../table/useElementSize.ts';
import { nextPath } from './nextPath.ts';
import styles from './Sunburst.module.css';
import { pathTo, percentText, placeOf, type SunburstModel, type SunburstNode, sunburstModel } from './sunburstModel.ts';
import { sunburstOption } from './sunburstOption.ts';
import { sunburstSummary } from './sunburstSummary.ts';

registerParts([SunburstChart]);

/** visualizations 14: paths through stages, from the middle outwards. */
export default function SunburstRenderer({ table, name }: RendererProps<StoredOptions>) {
  const model = useMemo(() => sunburstModel(table), [table]);
  if (table.rows.length === 0) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  if (model.nodes.length === 0)
    return <NoPicture>Needs columns sequence, stage, node and value, or stage1, stage2 … and value, with numbers above zero.</NoPicture>;
  return <Sunburst model={model} name={name || 'Sunburst Sequence'} />;
}

interface Pointed {
  data?: { path?: readonly number[] };
}

function Sunburst({ model, name }: { model: SunburstModel; name: string }) {
  const colors = useChartColors();
  const picture = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(picture);
  const option = useMemo(() => sunburstOption(model, colors, Math.min(width, height)), [model, colors, width, height]);
  const [path, setPath] = useState<readonly number[]>([]);
  const chart = useRef<EChartsType | null>(null);
  const onReady = useCallback((made: EChartsType) => {
    chart.current = made;
    const point = (event: unknown) => setPath((event as Pointed).data?.path ?? []);
    const leave = () => setPath([]);
    made.on('mouseover', point);
    made.on('globalout', leave);
    made.on('click', () => {
      made.dispatchAction({ type: 'downplay', seriesIndex: 0 });
      leave();
    });
    return () => {
      chart.current = null;
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? [] : nextPath(model.nodes, path, event.key);
    if (!next) return;
    event.preventDefault();
    setPath(next);
    chart.current?.dispatchAction({ type: 'downplay', seriesIndex: 0 });
    if (next.length > 0) chart.current?.dispatchAction({ type: 'highlight', seriesIndex: 0, dataIndex: placeOf(model.nodes, next) });
  };
  const shown = pathTo(model.nodes, path);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of slices that arrows go through, not of form fields
    <div
      className={styles.sunburst}
      role="group"
      aria-label={`${name}: arrow keys go from slice to slice`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the slices are reached by arrow keys
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <Trail nodes={shown} total={model.total} />
      <div ref={picture} className={styles.picture}>
        <EChart option={option} label={`${name}. ${sunburstSummary(model)}`} onReady={onReady} />
        <Middle nodes={shown} total={model.total} />
      </div>
    </div>
  );
}

/** Arrows of one sixth of the width each, and the share of this path. */
function Trail({ nodes, total }: { nodes: readonly SunburstNode[]; total: number }) {
  const last = nodes.at(-1);
  return (
    <ol className={styles.trail} aria-live="polite">
      {nodes.map(({ name, color }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is
        <li key={at} style={{ background: color, color: textOn(color) }} title={name}>
          {name}
        </li>
      ))}
      {last && <li className={styles.percent}>{percentText(last.value, total)}</li>}
    </ol>
  );
}

function Middle({ nodes, total }: { nodes: readonly SunburstNode[]; total: number }) {
  const last = nodes.at(-1);
  if (!last) return null;
  return (
    <p className={styles.middle} aria-hidden>
      <span>{`Stage: ${nodes.length}`}</span>
      <strong>{percentText(last.value, total)}</strong>
      <span>{`${last.value.toLocaleString('en')} of ${total.toLocaleString('en')}`}</span>
    </p>
  );
}
