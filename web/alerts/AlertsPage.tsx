import BellOutlined from '@ant-design/icons/BellOutlined';
import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { ListedAlert } from '@telltale/domain/alerts/contract.ts';
import { Button } from 'antd';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { recordEvent } from '../api/events.ts';
import { useCan } from '../api/session.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { momentText } from '../ui/momentText.ts';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { AlertState } from './AlertState.tsx';
import styles from './AlertsPage.module.css';
import { MutedBell } from './MutedBell.tsx';
import { useAlerts } from './useAlerts.ts';

/** /alerts (A2) */
export function AlertsPage() {
  const alerts = useAlerts();
  useEffect(() => recordEvent('view', 'page', 'alerts'), []);

  const columns: readonly Column<ListedAlert>[] = [
    { title: 'Muted', sort: 'muted', cell: ({ options }) => <MutedBell isMuted={options.muted} />, width: 88, isMark: true },
    {
      title: 'Name',
      sort: 'name',
      cell: ({ id, name }) => (
        <Link className={styles.name} to={`/alerts/${id}`} title={name}>
          {name}
        </Link>
      ),
    },
    { title: 'Created By', cell: ({ user }) => user.name, width: '16%', hideBelow: 800 },
    { title: 'State', sort: 'state', cell: ({ state }) => <AlertState state={state} />, width: 128 },
    { title: 'Last Updated At', sort: 'updated_at', cell: ({ updated_at }) => <TimeAgo date={updated_at} />, width: 150 },
    {
      title: 'Created At',
      sort: 'created_at',
      cell: ({ created_at }) => <time dateTime={created_at}>{momentText(created_at)}</time>,
      width: 168,
      hideBelow: 640,
    },
  ];
  return <ItemsPage title="Alerts" items={alerts} columns={columns} action={<NewAlertButton />} empty={<NoAlerts />} />;
}

/** A6: needs list_alerts. */
function NewAlertButton() {
  const navigate = useNavigate();
  if (!useCan()('list_alerts')) return null;
  return (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate('/alerts/new')}>
      New Alert
    </Button>
  );
}

const NoAlerts = () => (
  <EmptyState icon={<BellOutlined />} action={<Link to="/alerts/new">Create your first alert</Link>}>
    Get notified on certain events
  </EmptyState>
);
