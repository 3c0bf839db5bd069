import EllipsisOutlined from '@ant-design/icons/EllipsisOutlined';
import WarningOutlined from '@ant-design/icons/WarningOutlined';
import type { MenuProps } from 'antd';
import type { ReactNode } from 'react';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { bytesText, durationText } from '../run/durationText.ts';
import { isRunning, type RunState } from '../run/useQueryRun.ts';
import styles from './BottomBar.module.css';
import { downloadItems } from './downloadItems.tsx';

interface BottomBarProps {
  run: Pick<RunState, 'result' | 'status' | 'wasCancelled'>;
  /** The file has the name of the query when there is one. */
  queryId: number | null;
  /** Further actions above the downloads in the menu. */
  actions?: NonNullable<MenuProps['items']>;
  /** Content of the page before the figures. */
  children?: ReactNode;
}

/** Screens 5.10: facts about the shown result, its downloads, and its age. */
export function BottomBar({ run, queryId, actions = [], children }: BottomBarProps) {
  const { result } = run;
  const { data } = result ?? {};
  const scanned = data?.metadata?.data_scanned;
  return (
    <footer className={styles.bar}>
      <MenuButton
        size="small"
        type="text"
        icon={<EllipsisOutlined rotate={90} />}
        aria-label="Result actions"
        placement="topLeft"
        menu={{ items: [...actions, ...(actions.length > 0 ? [{ type: 'divider' as const }] : []), ...downloadItems(result, queryId)] }}
      />
      {children}
      <div className={styles.facts}>
        {data?.truncated && (
          <Tooltip title={`Result truncated to ${data.rows.length} rows. The query found more than is kept.`}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
            <span className={styles.truncated} tabIndex={0}>
              <WarningOutlined aria-hidden /> truncated
            </span>
          </Tooltip>
        )}
        {data && (
          <span>
            <strong>{data.rows.length.toLocaleString('en')}</strong> {data.rows.length === 1 ? 'row' : 'rows'}
          </span>
        )}
        <span>{!isRunning(run) && result ? <Runtime seconds={result.runtime} /> : stateText(run)}</span>
        {scanned !== undefined && (
          <span>
            Data Scanned <strong>{bytesText(scanned)}</strong>
          </span>
        )}
        {result && (
          <span className={styles.time}>
            Refreshed{' '}
            <strong>
              <TimeAgo date={result.retrieved_at} placeholder="-" />
            </strong>
          </span>
        )}
      </div>
    </footer>
  );
}

function stateText(run: BottomBarProps['run']): string {
  if (isRunning(run)) return 'Running…';
  if (run.status !== 'failed') return 'Not run yet';
  return run.wasCancelled ? 'Cancelled' : 'Failed';
}

const Runtime = ({ seconds }: { seconds: number }) => (
  <>
    <strong>{durationText(seconds)}</strong> runtime
  </>
);
