import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { useEffect } from 'react';
import { recordEvent } from '../api/events.ts';
import { useRead } from '../api/query.ts';
import { useCan, useSession } from '../api/session.ts';
import { usePages } from '../layout/Pages.tsx';
import { EmailNotice } from './EmailNotice.tsx';
import styles from './HomePage.module.css';
import { Onboarding } from './Onboarding.tsx';
import { offeredSteps } from './onboardingSteps.ts';
import { QuickLinks } from './QuickLinks.tsx';

export function HomePage() {
  const { user, messages } = useSession();
  const pages = usePages();
  const can = useCan();
  const status = useRead(organizationApi.status, {});

  useEffect(() => recordEvent('view', 'page', 'personal_homepage'), []);

  const hasPage = (path: string) => pages.some((page) => page.path === path);
  const steps = status.data ? offeredSteps(status.data.object_counters, hasPage, can) : [];
  return (
    <div className={styles.page}>
      {messages.includes('email-not-verified') && <EmailNotice />}
      <header className={styles.greeting}>
        <h1>Welcome to Telltale, {user.name}</h1>
        <p>What your sensors say, at a glance.</p>
      </header>
      {status.isPending && <div className={styles.waiting} />}
      {steps.some(({ isDone }) => !isDone) && <Onboarding steps={steps} />}
      <QuickLinks />
    </div>
  );
}
