import type { Permission } from '@telltale/domain/access/permissions.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { HelpLink } from '../help/HelpLink.tsx';
import { useOffered } from '../layout/navigation.ts';
import { useTriggeredCount } from '../layout/TriggeredCount.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import styles from './QuickLinks.module.css';

const places: readonly { title: string; about: string; path: string; needs?: Permission }[] = [
  { title: 'Dashboards', about: 'What is going on, at a glance', path: '/dashboards', needs: 'list_dashboards' },
  { title: 'Queries', about: 'Ask your data in SQL', path: '/queries', needs: 'view_query' },
  { title: 'Alerts', about: 'Hear about it when it matters', path: '/alerts', needs: 'list_alerts' },
  { title: 'Users', about: 'Who can sign in, and invitations', path: '/users', needs: 'list_users' },
  { title: 'Groups', about: 'What people may see and do', path: '/groups', needs: 'list_users' },
  { title: 'Account', about: 'Name, password and API key', path: '/users/me' },
];

/** Links to the main pages; only to pages that exist. */
export function QuickLinks() {
  const offered = useOffered(places);
  const triggered = useTriggeredCount();
  return (
    <nav aria-label="Places" className={styles.grid}>
      {offered.map(({ title, about, path }) => (
        <Link key={path} to={path} className={styles.card}>
          <Words title={title} about={path === '/alerts' && triggered > 0 ? <Triggered count={triggered} /> : about} />
        </Link>
      ))}
      <a href="/api/docs" className={styles.card}>
        <Words title="API documentation" about="Every call, for your scripts" />
      </a>
      <HelpLink className={styles.card} topic="getting-started">
        <Words title="Help" about="First steps and how-tos" />
      </HelpLink>
    </nav>
  );
}

const Triggered = ({ count }: { count: number }) => (
  <StateLabel tone="danger">{`${count} alert${count === 1 ? ' is' : 's are'} triggered`}</StateLabel>
);

const Words = ({ title, about }: { title: ReactNode; about: ReactNode }) => (
  <>
    <strong>{title}</strong>
    <span>{about}</span>
  </>
);
