import DownOutlined from '@ant-design/icons/DownOutlined';
import ReloadOutlined from '@ant-design/icons/ReloadOutlined';
import { refreshChoices } from '@telltale/domain/dashboards/refresh.ts';
import { intervalText } from '@telltale/domain/schedules/intervals.ts';
import { Button, Space } from 'antd';
import { useSyncExternalStore } from 'react';
import { useSession } from '../../api/session.ts';
import { timerText } from '../../queries/run/durationText.ts';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useNow } from '../../ui/useNow.ts';
import type { WidgetRuns } from '../runs/WidgetRuns.ts';

interface RefreshButtonProps {
  runs: WidgetRuns;
  interval: number | null;
  dueAt: number | null;
  /** Seconds as in the address; null removes them. */
  onInterval: (seconds: string | null) => void;
}

/** D4: refreshes now, or regularly; intervals that the configuration forbids are shown, but disabled. */
export function RefreshButton({ runs, interval, dueAt, onInterval }: RefreshButtonProps) {
  const { dashboardRefreshIntervals } = useSession().client_config;
  const { isBusy } = useSyncExternalStore(runs.subscribe, runs.summary);
  const choose = (seconds: number) => {
    onInterval(String(seconds));
    runs.refreshAll();
  };
  const items = [
    ...refreshChoices(dashboardRefreshIntervals).map(({ seconds, isAllowed }) => ({
      key: String(seconds),
      label: intervalText(seconds),
      disabled: !isAllowed,
      onClick: () => choose(seconds),
    })),
    { type: 'divider' as const },
    { key: 'off', label: 'Disable auto refresh', disabled: interval === null, onClick: () => onInterval(null) },
  ];
  const button = (
    <Button
      type={interval === null ? 'default' : 'primary'}
      icon={<ReloadOutlined spin={isBusy} aria-hidden />}
      aria-busy={isBusy}
      onClick={() => !isBusy && runs.refreshAll()}
    >
      {interval === null ? 'Refresh' : intervalText(interval)}
    </Button>
  );
  return (
    <Space.Compact>
      {interval === null ? (
        button
      ) : (
        <Tooltip
          title={
            <>
              Auto Refreshing every {intervalText(interval)}
              {dueAt !== null && <Countdown to={dueAt} />}
            </>
          }
        >
          {button}
        </Tooltip>
      )}
      <MenuButton
        type={interval === null ? 'default' : 'primary'}
        icon={<DownOutlined />}
        aria-label="Auto refresh"
        menu={{ items, selectable: true, selectedKeys: interval === null ? [] : [String(interval)] }}
      />
    </Space.Compact>
  );
}

function Countdown({ to }: { to: number }) {
  useNow();
  return <>, next in {timerText(Math.max(0, to - Date.now()))}</>;
}
