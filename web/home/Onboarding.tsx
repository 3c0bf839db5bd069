import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled';
import { Link } from 'react-router';
import styles from './Onboarding.module.css';
import type { OfferedStep } from './onboardingSteps.ts';

/** Screens 3: the checklist; it disappears when every offered step is done. */
export function Onboarding({ steps }: { steps: readonly OfferedStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className={styles.card} aria-labelledby="onboarding">
      <header>
        <h2 id="onboarding">Let's get started</h2>
        {steps.length > 1 && (
          <p>
            {done} of {steps.length} done
          </p>
        )}
      </header>
      <ol>
        {steps.map(({ text, path, isDone }, index) => (
          <li key={text} className={isDone ? styles.done : undefined}>
            {isDone ? <CheckCircleFilled className={styles.mark} aria-hidden /> : <span className={styles.mark}>{index + 1}</span>}
            <span>
              {isDone && <span className="visually-hidden">Done: </span>}
              {path && !isDone ? <Link to={path}>{text}</Link> : isDone ? <s>{text}</s> : text}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
