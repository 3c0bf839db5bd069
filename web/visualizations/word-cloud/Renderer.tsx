import { useEffect, useMemo, useRef, useState } from 'react';
import { useThemeName } from '../../theme/themeChoice.ts';
import { colors, fontFamily } from '../../theme/tokens.ts';
import type { RendererProps } from '../define.ts';
import { NoPicture, whyNoRows } from '../NoPicture.tsx';
import { readable } from '../readable.ts';
import { useElementSize } from '../table/useElementSize.ts';
import { layoutCloud, type PlacedCloud } from './layout.ts';
import styles from './WordCloud.module.css';
import { type WordCloudModel, wordCloudModel } from './wordCloudModel.ts';
import type { WordCloudOptions } from './wordCloudOptions.ts';

/** visualizations 15: more frequent words are larger. */
export default function WordCloudRenderer({ table, options, name }: RendererProps<WordCloudOptions>) {
  const model = useMemo(() => wordCloudModel(table, options), [table, options]);
  if (table.rows.length === 0) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  if (model.words.length === 0) return <NoPicture>No words within the limits.</NoPicture>;
  return <Cloud model={model} label={name || 'Word Cloud'} />;
}

/** The cloud draws every word, or says how many it has left out. */
function LeftOut({ rarer, unplaced }: { rarer: number; unplaced: number }) {
  const parts = [
    ...(rarer > 0 ? [`and ${rarer.toLocaleString('en')} rarer words`] : []),
    ...(unplaced > 0 ? [`${unplaced.toLocaleString('en')} ${unplaced === 1 ? 'word' : 'words'} without room`] : []),
  ];
  return parts.length > 0 ? <p className={styles.more}>{parts.join(', ')}</p> : null;
}

function Cloud({ model, label }: { model: WordCloudModel; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(place);
  const paper = colors.paper[useThemeName()];
  const [placed, setPlaced] = useState<PlacedCloud | null>(null);
  // A little wider or narrower, the same cloud is scaled.
  const aspect = width > 0 && height > 0 ? Math.round((width / height) * 4) / 4 || 0.25 : null;

  useEffect(() => {
    if (aspect === null) return;
    let stop: (() => void) | null = null;
    let isWanted = true;
    // Words measured before the font is loaded would overlap.
    document.fonts.load(`600 40px ${fontFamily}`).finally(() => {
      if (isWanted) stop = layoutCloud(model.words, aspect, setPlaced);
    });
    return () => {
      isWanted = false;
      stop?.();
    };
  }, [model, aspect]);

  return (
    <div ref={place} className={styles.place} aria-busy={placed === null}>
      {placed && (
        <svg
          className={styles.cloud}
          viewBox={`${placed.box.x} ${placed.box.y} ${placed.box.width} ${placed.box.height}`}
          role="img"
          aria-label={label}
        >
          {placed.words.map(({ text, count, size, color, isUpright, x, y }) => (
            <text
              key={`${text} ${x} ${y}`}
              transform={`translate(${x} ${y})${isUpright ? ' rotate(90)' : ''}`}
              textAnchor="middle"
              fontSize={size}
              fill={readable(color, paper)}
            >
              <title>{`${text}: ${count.toLocaleString('en')}`}</title>
              {text}
            </text>
          ))}
        </svg>
      )}
      {placed && <LeftOut rarer={model.more} unplaced={model.words.length - placed.words.length} />}
    </div>
  );
}
