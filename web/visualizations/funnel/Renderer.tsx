import { useMemo } from 'react';
import type { RendererProps } from '../define.ts';
import { NoPicture, whyNoRows } from '../NoPicture.tsx';
import styles from './Funnel.module.css';
import { funnelModel, mostSteps } from './funnelModel.ts';
import type { FunnelOptions } from './funnelOptions.ts';

const counted = new Intl.NumberFormat('en');

/** visualizations 9. */
export default function FunnelRenderer({ table, options, settings, name }: RendererProps<FunnelOptions>) {
  const model = useMemo(() => funnelModel(table, options, settings), [table, options, settings]);
  if (!model) return <NoPicture>Choose a step column and a value column in the editor.</NoPicture>;
  if (model.count === 0) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  const isCut = model.count > model.steps.length && options.itemsLimit > mostSteps;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={styles.scroller} tabIndex={0} aria-label={name || 'Funnel'}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{options.stepCol.displayAs}</th>
            <th scope="col" className={styles.center}>
              {options.valueCol.displayAs}
            </th>
            <th scope="col" className={styles.figure}>
              % Max
            </th>
            <th scope="col" className={styles.figure}>
              % Previous
            </th>
          </tr>
        </thead>
        <tbody>
          {model.steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps may be called the same
            <tr key={at}>
              <th scope="row" className={styles.step} title={step.name}>
                {step.name}
              </th>
              <td className={styles.center}>
                <i className={styles.bar} style={{ width: `${step.ofMax}%` }} aria-hidden />
                <span>{step.value}</span>
              </td>
              <td className={styles.figure}>{step.maxText}</td>
              <td className={styles.figure}>
                <i className={styles.previous} style={{ width: `${step.previousBar}%` }} aria-hidden />
                <span>{step.previousText}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && (
        <p className={styles.cut}>
          The first {counted.format(mostSteps)} of {counted.format(model.count)} steps.
        </p>
      )}
    </section>
  );
}
