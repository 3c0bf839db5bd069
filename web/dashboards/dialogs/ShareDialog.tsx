import { dashboardsApi, unsafeShareMessage } from '@telltale/domain/dashboards/contract.ts';
import { Alert, Button, Select, Switch } from 'antd';
import { useId, useState } from 'react';
import { call } from '../../api/call.ts';
import { CopyField } from '../../ui/CopyField.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { notify } from '../../ui/notify.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import type { DashboardState } from '../useDashboard.ts';
import styles from './Dialogs.module.css';

const day = 86_400_000;
const expiries = [
  { value: 0, label: 'Never' },
  { value: day, label: 'In 1 day' },
  { value: 7 * day, label: 'In 7 days' },
  { value: 30 * day, label: 'In 30 days' },
];

/** D5, screens 9.6 and complaint 33. */
export default function ShareDialog({ state, onClose }: { state: DashboardState; onClose: () => void }) {
  const { dashboard, set } = state;
  const { share, publicAccessEnabled, id } = dashboard;
  const [isBusy, setBusy] = useState(false);
  const switchId = useId();
  const isUnsafe = dashboard.widgets.some(({ visualization }) => visualization?.query.is_safe === false);

  const work = async (failure: string, act: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      notify.error(failure, { description: error instanceof Error ? error.message : '' });
    } finally {
      setBusy(false);
    }
  };
  const turnOn = (body: { expires_at?: string | null; rotate?: boolean } = {}) =>
    work('Failed to turn on sharing for this dashboard', async () => {
      const made = await call(dashboardsApi.share, { params: { id }, body });
      set((before) => ({ ...before, share: made, publicAccessEnabled: true, public_url: made.public_url, api_key: made.api_key }));
    });
  const turnOff = () =>
    work('Failed to turn off sharing for this dashboard', async () => {
      await call(dashboardsApi.unshare, { params: { id } });
      set(({ share: _, public_url: __, api_key: ___, ...before }) => ({ ...before, publicAccessEnabled: false }));
    });
  const askToRotate = () =>
    confirm({
      title: 'Regenerate link',
      content: 'The old link stops working at once, for everybody who has it.',
      okText: 'Regenerate link',
      danger: true,
      onOk: () => turnOn({ rotate: true }),
    });

  return (
    <Dialog title="Share Dashboard" okText="Close" hasCancel={false} closesOnMask onClose={onClose}>
      <div className={styles.stack}>
        {isUnsafe && <Alert type="error" showIcon title={unsafeShareMessage} />}
        <p>Allow public access to this dashboard with a secret address.</p>
        <div className={styles.switch}>
          <Switch
            id={switchId}
            checked={publicAccessEnabled}
            loading={isBusy}
            disabled={isUnsafe && !publicAccessEnabled}
            onChange={(isOn) => void (isOn ? turnOn() : turnOff())}
          />
          <label htmlFor={switchId}>Allow public access</label>
        </div>
        {publicAccessEnabled && share && (
          <>
            <div className={styles.field}>
              <span>Secret address</span>
              <CopyField label="Secret address" value={share.public_url} />
            </div>
            <div className={styles.row}>
              <label htmlFor={`${switchId}-expiry`}>
                {share.expires_at ? (
                  <>
                    Expires <TimeAgo date={share.expires_at} />
                  </>
                ) : (
                  'Expires'
                )}
              </label>
              <Select
                id={`${switchId}-expiry`}
                style={{ width: 140 }}
                disabled={isBusy}
                value={share.expires_at ? null : 0}
                placeholder="Change…"
                options={expiries}
                onChange={(ms: number | null) => void turnOn({ expires_at: ms ? new Date(Date.now() + ms).toISOString() : null })}
              />
            </div>
            <div className={styles.row}>
              <span className={styles.note}>
                Opened {share.view_count} {share.view_count === 1 ? 'time' : 'times'}
                {share.last_viewed_at && (
                  <>
                    , last <TimeAgo date={share.last_viewed_at} />
                  </>
                )}
              </span>
              <Button size="small" disabled={isBusy || isUnsafe} onClick={() => void askToRotate()}>
                Regenerate link
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
