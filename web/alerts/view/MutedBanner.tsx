import type { Alert as AlertObject } from '@telltale/domain/alerts/contract.ts';
import { Alert, Button } from 'antd';
import { useUnmuteAlert } from '../useAlerts.ts';

/** Screens 11; the button is for editors (A6). */
export function MutedBanner({ alert: { id, can_edit } }: { alert: AlertObject }) {
  const unmute = useUnmuteAlert();
  return (
    <Alert
      type="warning"
      showIcon
      styles={{ icon: { alignSelf: 'flex-start', marginBlockStart: 3 } }}
      title={
        <>
          <b>Notifications are muted</b>
          <div>Notifications for this alert will not be sent.</div>
          {can_edit && <div>To restore notifications click Unmute</div>}
        </>
      }
      action={
        can_edit && (
          <Button size="small" loading={unmute.isPending} onClick={() => unmute.mutate({ params: { id } })}>
            Unmute
          </Button>
        )
      }
    />
  );
}
