import type { FleetSummary } from '@telltale/domain/channels/fleet-contract.ts';
import { lazy, Suspense, useState } from 'react';
import styles from './Connect.module.css';
import { ConnectForm } from './ConnectForm.tsx';

const FirstMessage = lazy(() => import('./FirstMessage.tsx'));

interface At {
  channel_id: string;
  device_id: string;
}

/** The first steps in a new console: a channel and a device, a command to copy, and the value that it sends. */
export default function ConnectDevice({ newest }: Pick<FleetSummary, 'newest'>) {
  const [made, setMade] = useState<At | null>(newest);
  return (
    <section className={styles.card} aria-labelledby="connect">
      <header>
        <h2 id="connect">Connect your first device</h2>
        <ol className={styles.steps}>
          <Step isDone={made !== null} isNow={made === null}>
            Name it
          </Step>
          <Step isDone={false} isNow={made !== null}>
            Send a value
          </Step>
          <Step isDone={false} isNow={false}>
            Chart it
          </Step>
        </ol>
      </header>
      {made === null ? (
        <ConnectForm onMade={setMade} />
      ) : (
        <Suspense fallback={<div className={styles.waiting} />}>
          <FirstMessage {...made} onRestart={() => setMade(null)} />
        </Suspense>
      )}
    </section>
  );
}

const Step = ({ isDone, isNow, children }: { isDone: boolean; isNow: boolean; children: string }) => (
  <li className={isDone ? styles.past : isNow ? styles.now : undefined} aria-current={isNow ? 'step' : undefined}>
    {children}
  </li>
);
