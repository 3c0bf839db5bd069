import { fleetApi } from '@telltale/domain/channels/fleet-contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { recordEvent } from '../api/events.ts';
import { useRead } from '../api/query.ts';
import { useCan, useSession } from '../api/session.ts';
import { usePages } from '../layout/Pages.tsx';
import { FleetGlance } from './fleet/FleetGlance.tsx';
import { OwnObjects, useOwnObjects } from './fleet/OwnObjects.tsx';
import styles from './HomePage.module.css';
import { Onboarding } from './Onboarding.tsx';
import { offeredSteps } from './onboardingSteps.ts';
import { QuickLinks } from './QuickLinks.tsx';

const ConnectDevice = lazy(() => import('./connect/ConnectDevice.tsx'));
const EmailNotice = lazy(() => import('./EmailNotice.tsx'));

const waiting = <div className={styles.waiting} />;

export function HomePage() {
  const { user, messages } = useSession();
  const pages = usePages();
  const can = useCan();
  const status = useRead(organizationApi.status, {});
  const [since] = useState(startOfToday);
  const fleet = useRead(fleetApi.summary, { query: { since } }, { enabled: can('view_channel'), refetchInterval: 15_000 });

  const own = useOwnObjects();
  // The parts stand below each other: drawn one by one as they arrive, each would push the next ones down.
  const isWaiting = status.isLoading || fleet.isLoading || own.isPending;

  useEffect(() => recordEvent('view', 'page', 'personal_homepage'), []);

  const hasPage = (path: string) => pages.some((page) => page.path === path);
  const steps = status.data ? offeredSteps(status.data.object_counters, hasPage, can) : [];
  // The step stays until a query was made from it, also after a reload. Once shown, it stays for this visit.
  const hasOneUncharted = fleet.data?.devices === 1 && status.data?.object_counters.queries === 0;
  const isNew = fleet.data?.seen === 0 || hasOneUncharted;
  const wasNew = useRef(false);
  wasNew.current ||= isNew;
  const isConnecting = wasNew.current && can('manage_channel');
  return (
    <div className={styles.page}>
      {messages.includes('email-not-verified') && <EmailNotice />}
      <header className={styles.greeting}>
        <h1>Welcome to Telltale, {user.name}</h1>
        <p>What your sensors say, at a glance.</p>
      </header>
      {isWaiting ? (
        waiting
      ) : (
        <Suspense fallback={waiting}>
          {fleet.data && fleet.data.seen > 0 && <FleetGlance fleet={fleet.data} />}
          {isConnecting && fleet.data && <ConnectDevice newest={fleet.data.newest} />}
          {steps.some(({ isDone }) => !isDone) && <Onboarding steps={steps} />}
          <OwnObjects {...own} />
          <QuickLinks />
        </Suspense>
      )}
    </div>
  );
}

function startOfToday(): string {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  return day.toISOString();
}
