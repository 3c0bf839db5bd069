import EditOutlined from '@ant-design/icons/EditOutlined';
import EllipsisOutlined from '@ant-design/icons/EllipsisOutlined';
import type { Alert } from '@telltale/domain/alerts/contract.ts';
import { useNavigate } from 'react-router';
import { confirm } from '../../ui/confirm.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import styles from '../AlertPage.module.css';
import { useDeleteAlert, useEvaluateAlert, useMuteAlert, useUnmuteAlert } from '../useAlerts.ts';

const refusal = 'You do not have sufficient permissions to edit this alert';

/** A2: the name, Edit, and a menu; for users who may not edit both are disabled with a reason. */
export function AlertHeader({ alert }: { alert: Alert }) {
  const navigate = useNavigate();
  const menu = useAlertMenu(alert);
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <h1>{alert.name}</h1>
      </div>
      <div className={styles.actions}>
        <GuardedButton
          icon={<EditOutlined />}
          refusal={!alert.can_edit && refusal}
          onClick={() => navigate(`/alerts/${alert.id}/edit`, { replace: true })}
        >
          Edit
        </GuardedButton>
        {alert.can_edit ? (
          <MenuButton icon={<EllipsisOutlined />} aria-label="More actions" menu={menu} />
        ) : (
          <GuardedButton icon={<EllipsisOutlined />} aria-label="More actions" refusal={refusal} />
        )}
      </div>
    </header>
  );
}

function useAlertMenu({ id, options }: Alert) {
  const navigate = useNavigate();
  const mute = useMuteAlert();
  const unmute = useUnmuteAlert();
  const evaluate = useEvaluateAlert();
  const remove = useDeleteAlert();
  const params = { id };
  const askToDelete = async () => {
    const isDeleted = await confirm({
      title: 'Delete Alert',
      content: 'Are you sure you want to delete this alert?',
      okText: 'Delete',
      danger: true,
      onOk: () => remove.mutateAsync({ params }),
    });
    if (isDeleted) navigate('/alerts');
  };
  return {
    items: [
      options.muted
        ? { key: 'unmute', label: 'Unmute Notifications', onClick: () => unmute.mutate({ params }) }
        : { key: 'mute', label: 'Mute Notifications', onClick: () => mute.mutate({ params }) },
      ...(options.kind === 'query' ? [{ key: 'evaluate', label: 'Evaluate', onClick: () => evaluate.mutate({ params }) }] : []),
      { type: 'divider' as const },
      { key: 'delete', label: 'Delete', danger: true, onClick: () => void askToDelete() },
    ],
  };
}
