import styles from './Steps.module.css';

/** A2: the three steps of the dialog, by their number. */
const stepNames = ['Type Selection', 'Configuration', 'Done'] as const;
export type Step = 0 | 1 | 2;

interface StepsProps {
  current: Step;
  /** Leads back to the first step; undefined while saving. */
  onFirst: (() => void) | undefined;
}

/** Dots that show the progress; the first one leads back. */
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
