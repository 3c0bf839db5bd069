import type { Alert } from '@telltale/domain/alerts/contract.ts';
import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { recordEvent } from '../api/events.ts';
import { ErrorPanel, NotFoundPanel } from '../layout/ErrorPanel.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { leaveUnasked } from '../ui/leaveGuard.ts';
import { notify } from '../ui/notify.tsx';
import { AlertEditor } from './AlertEditor.tsx';
import styles from './AlertPage.module.css';
import { draftOf } from './draft.ts';
import { NewAlert } from './NewAlert.tsx';
import { useAlert, useSaveAlert } from './useAlerts.ts';
import { AlertView } from './view/AlertView.tsx';

/** /alerts/new, /alerts/:alertId and /alerts/:alertId/edit */
export function AlertPage() {
  const { alertId } = useParams();
  if (alertId === undefined) return <NewAlert />;
  const id = Number(alertId);
  return Number.isSafeInteger(id) && id > 0 ? <StoredAlert key={id} id={id} /> : <NotFoundPanel />;
}

function StoredAlert({ id }: { id: number }) {
  const { data: alert, error, refetch } = useAlert(id);
  const isEditing = useLocation().pathname.endsWith('/edit');
  useTitle(alert?.name);
  useEffect(() => recordEvent('view', 'alert', id), [id]);

  if (error && !alert) return <ErrorPanel error={error} onRetry={refetch} />;
  if (!alert)
    return (
      <div className={styles.loading}>
        <FormSkeleton rows={5} />
      </div>
    );
  if (!isEditing) return <AlertView alert={alert} />;
  return alert.can_edit ? <EditedAlert alert={alert} /> : <RefusedEdit alert={alert} />;
}

/** A4 and A6: the edit address of others falls back to the view, with a warning that stays. */
function RefusedEdit({ alert }: { alert: Alert }) {
  const navigate = useNavigate();
  useEffect(() => {
    notify.warning('You cannot edit this alert', {
      key: 'cannot-edit-alert',
      duration: 0,
      description: 'You do not have sufficient permissions to edit this alert, and have been redirected to the view-only page.',
    });
    navigate(`/alerts/${alert.id}`, { replace: true });
  }, [alert.id, navigate]);
  return <AlertView alert={alert} />;
}

function EditedAlert({ alert }: { alert: Alert }) {
  const save = useSaveAlert();
  const navigate = useNavigate();
  // The draft starts from the first alert: a reload while one types must not replace it.
  const first = useRef(alert);
  const start = useMemo(() => draftOf(first.current), []);
  const leave = () => {
    leaveUnasked();
    navigate(`/alerts/${alert.id}`, { replace: true });
  };
  return (
    <AlertEditor
      start={start}
      alertId={alert.id}
      saveText="Save Changes"
      onCancel={leave}
      onSave={async (body) => {
        // The form cannot mute: what others have muted since it was opened stays so.
        const options = { ...body.options, muted: alert.options.muted };
        await save.mutateAsync({ params: { id: alert.id }, body: { ...body, options } });
        leave();
      }}
    />
  );
}
