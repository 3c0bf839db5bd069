import styles from './Steps.module.css';

/** A2: the three steps of the dialog, by their number. */
const stepNames = ['Type Selection', 'Configuration', 'Done'] as const;
export type Step = 0 | 1 | 2;

interface StepsProps {
  current: Step;
  /** Back to the first one; not while something is being saved. */
  onFirst: (() => void) | undefined;
}

/** Dots that tell how far one is; the first leads back to itself. */
export function Steps({ current, onFirst }: StepsProps) {
  return (
    <ol className={styles.steps}>
      {stepNames.map((name, at) => (
        <li key={name} className={styles.step} data-state={stateOf(at, current)} aria-current={at === current ? 'step' : undefined}>
          {at === 0 && current > 0 && onFirst ? (
            <button type="button" className={styles.back} onClick={onFirst}>
              <span className={styles.dot} />
              {name}
            </button>
          ) : (
            <span className={styles.name}>
              <span className={styles.dot} />
              {name}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function stateOf(at: number, current: Step): 'done' | 'current' | 'ahead' {
  if (at === current) return 'current';
  return at < current ? 'done' : 'ahead';
}
