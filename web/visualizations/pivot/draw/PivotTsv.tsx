import { useMemo } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import styles from '../Pivot.module.css';
import type { DrawingProps } from './drawing.ts';
import { tsvOf } from './tsv.ts';

export default function PivotTsv(props: DrawingProps) {
  const { data, rowAttributes, colAttributes, measure, label } = props;
  const text = useMemo(() => tsvOf({ data, rowAttributes, colAttributes, measure }), [data, rowAttributes, colAttributes, measure]);
  return (
    <div className={styles.tsv}>
      <div className={styles.tsvBar}>
        <span>Tab-separated values</span>
        <CopyButton text={text} what="the table" />
      </div>
      <textarea readOnly value={text} aria-label={`${label}, tab-separated values`} spellCheck={false} wrap="off" />
    </div>
  );
}
