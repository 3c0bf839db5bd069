import { useMemo } from 'react';
import { StateLabel, type Tone } from '../../ui/StateLabel.tsx';
import type { RendererProps } from '../define.ts';
import { missingColumns, NoPicture } from '../NoPicture.tsx';
import styles from './Battery.module.css';
import { type BatteryLevel, batteryModel } from './batteryModel.ts';
import type { BatteryOptions } from './batteryOptions.ts';

const words: Readonly<Record<BatteryLevel, { tone: Tone; word: string }>> = {
  low: { tone: 'danger', word: 'Low' },
  medium: { tone: 'warning', word: 'Medium' },
  high: { tone: 'ok', word: 'High' },
};
const inner = { x: 8, y: 8, width: 168, height: 64 };

/** visualizations 17. */
export default function BatteryRenderer({ table, options, settings }: RendererProps<BatteryOptions>) {
  const model = useMemo(() => batteryModel(table, options, settings), [table, options, settings]);
  if (model.missing !== null) return <NoPicture>{missingColumns([model.missing])}</NoPicture>;
  const level = model.level && words[model.level];
  return (
    <div className={styles.place}>
      <svg className={styles.battery} viewBox="0 0 200 80" role="img" aria-label={`${model.text ?? settings.nullValue}, ${model.tooltip}`}>
        <title>{model.tooltip}</title>
        <rect className={styles.outline} x="2" y="2" width="180" height="76" rx="12" />
        <rect className={styles.pole} x="186" y="24" width="12" height="32" rx="5" />
        {model.fill !== null && model.color && (
          <rect {...inner} width={inner.width * model.fill} rx={Math.min(7, (inner.width * model.fill) / 2)} fill={model.color} />
        )}
        <text className={model.text === null ? styles.nothing : styles.value} x="92" y="41" {...fitted(model.text ?? '')}>
          {model.text ?? settings.nullValue}
        </text>
      </svg>
      <p className={styles.caption}>
        {options.label && <span className={styles.label}>{options.label}</span>}
        {level && <StateLabel tone={level.tone}>{level.word}</StateLabel>}
      </p>
    </div>
  );
}

/** Long values are squeezed into the outline. */
const fitted = (text: string) => (text.length > 9 ? { textLength: 160, lengthAdjust: 'spacingAndGlyphs' as const } : {});
