import type { Command } from '@telltale/domain/commands/contract.ts';
import { Link } from 'react-router';
import { useCan } from '../api/session.ts';
import { HelpLink } from '../help/HelpLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { momentText } from '../ui/momentText.ts';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { AddCommandButton } from './AddCommandButton.tsx';
import styles from './Commands.module.css';
import { useCommands } from './useCommands.ts';

/** A2 */
const columns: readonly Column<Command>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: ({ id, name }) => (
      <Link className={styles.name} to={`/commands/${id}`}>
        {name}
      </Link>
    ),
  },
  { title: 'Last Updated At', sort: 'updated_at', cell: ({ updated_at }) => <TimeAgo date={updated_at} />, width: 176 },
  {
    title: 'Created At',
    sort: 'created_at',
    cell: ({ created_at }) => <time dateTime={created_at}>{momentText(created_at)}</time>,
    width: 176,
  },
];

/** /commands */
export function CommandsPage() {
  const canSend = useCan()('send_command');
  return (
    <ItemsPage
      title="Commands"
      items={useCommands()}
      columns={columns}
      action={canSend && <AddCommandButton opensByAddress />}
      empty={
        <EmptyState action={canSend && <AddCommandButton type="default" />}>
          No commands yet. <HelpLink topic="commands">How commands work</HelpLink>
        </EmptyState>
      }
    />
  );
}
