import type { ReactNode } from 'react';
import styles from './StateLabel.module.css';

export type Tone = 'ok' | 'warning' | 'danger' | 'info' | 'neutral';

/** A state is shown by a shape and a word; the colour only helps. */
const shapes: Record<Tone, ReactNode> = {
  ok: <path d="M6 0a6 6 0 1 1 0 12A6 6 0 0 1 6 0Zm2.6 3.6L5.3 7 3.6 5.3l-1 1L5.3 9l4.3-4.4-1-1Z" />,
  warning: <path d="M6 .6 12 11.4H0L6 .6Zm-.7 3.7v3.4h1.4V4.3H5.3Zm0 4.4V10h1.4V8.7H5.3Z" />,
  danger: <path d="M3.5 0h5L12 3.5v5L8.5 12h-5L0 8.5v-5L3.5 0Zm1.8 2.6v4.2h1.4V2.6H5.3Zm0 5.4v1.4h1.4V8H5.3Z" />,
  info: <path d="M0 0h12v12H0V0Zm5.3 2.4v1.4h1.4V2.4H5.3Zm0 2.6v4.6h1.4V5H5.3Z" />,
  neutral: <path d="M6 0a6 6 0 1 1 0 12A6 6 0 0 1 6 0Zm0 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z" />,
};

export function StateLabel({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.label}>
      <svg className={styles[tone]} viewBox="0 0 12 12" width="12" height="12" fill="currentColor" fillRule="evenodd" aria-hidden="true">
        {shapes[tone]}
      </svg>
      {children}
    </span>
  );
}
