import { type ReactNode, useMemo, useRef } from 'react';
import { Tooltip } from '../../ui/Tooltip.tsx';
import type { RendererProps } from '../define.ts';
import { displayReader, separatorsOf } from '../displaySettings.ts';
import { missingColumns, NoPicture, whyNoRows } from '../NoPicture.tsx';
import styles from './Counter.module.css';
import { counterModel } from './counterModel.ts';
import type { CounterOptions } from './counterOptions.ts';
import { useFit } from './useFit.ts';

/** visualizations 6: as large as its place allows. */
export default function CounterRenderer({ table, options, settings, context, name }: RendererProps<CounterOptions>) {
  const model = useMemo(
    () => counterModel(table, options, name, separatorsOf(settings), displayReader(settings)(options.counterColName)),
    [table, options, name, settings],
  );
  const place = useRef<HTMLDivElement>(null);
  const block = useRef<HTMLDivElement>(null);
  const scale = useFit(place, block, model);
  if (model.missing !== null) return <NoPicture>{missingColumns([model.missing])}</NoPicture>;
  if (table.rows.length === 0 && !options.countRow) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  return (
    <div ref={place} className={context === 'query' ? styles.bounded : styles.place}>
      <div ref={block} className={styles.block} style={{ transform: `translate(-50%, -50%) scale(${scale})` }}>
        <div className={styles.values}>
          <Exact text={model.exactValue} className={model.trend ? styles[model.trend] : model.state ? styles[model.state] : undefined}>
            {model.trend && <Mark isUp={model.trend === 'reached'} />}
            {model.state && !model.trend && <span className="visually-hidden">{`${model.state}: `}</span>}
            {model.value}
          </Exact>
          {model.target !== null && (
            <Exact text={model.exactTarget} className={styles.target}>
              ({model.target})
            </Exact>
          )}
        </div>
        {model.label && <div className={styles.label}>{model.label}</div>}
      </div>
    </div>
  );
}

function Exact({ text, className, children }: { text: string; className: string | undefined; children: ReactNode }) {
  return (
    <Tooltip title={text}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact value must be reachable by keyboard (screens 1.4) */}
      <span className={className} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}

/** The trend has a shape as well, not only a colour. */
const Mark = ({ isUp }: { isUp: boolean }) => (
  <svg className={styles.mark} viewBox="0 0 10 10" role="img" aria-label={isUp ? 'Target reached:' : 'Target not reached:'}>
    <path d={isUp ? 'M5 1.5 9.5 9h-9z' : 'M5 8.5.5 1h9z'} fill="currentColor" />
  </svg>
);
