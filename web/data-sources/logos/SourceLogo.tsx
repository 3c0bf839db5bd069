import { markOf } from './marks.tsx';
import styles from './SourceLogo.module.css';

interface SourceLogoProps {
  type: string;
  /** For kinds without a mark of their own. */
  typeName?: string | undefined;
  size?: number;
}

/** The mark of a kind of data source; its name always stands beside it. */
export function SourceLogo({ type, typeName, size = 24 }: SourceLogoProps) {
  const { tint, glyph } = markOf(type, typeName);
  return (
    <svg className={styles.logo} style={{ color: tint }} viewBox="0 0 24 24" width={size} height={size} aria-hidden>
      <rect width="24" height="24" rx="6" fill="currentColor" fillOpacity=".15" />
      <g className={styles.glyph} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round">
        {typeof glyph === 'string' ? (
          <text className={styles.letters} x="12" y="16">
            {glyph}
          </text>
        ) : (
          glyph
        )}
      </g>
    </svg>
  );
}
