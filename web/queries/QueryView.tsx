import FullscreenExitOutlined from '@ant-design/icons/FullscreenExitOutlined';
import FullscreenOutlined from '@ant-design/icons/FullscreenOutlined';
import ReloadOutlined from '@ant-design/icons/ReloadOutlined';
import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { Query } from '@telltale/domain/queries/contract.ts';
import { Button } from 'antd';
import { useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { useCan } from '../api/session.ts';
import { useFullscreen } from '../layout/useFullscreen.ts';
import { useTitle } from '../layout/useTitle.ts';
import { GuardedButton } from '../ui/GuardedButton.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { MetaStrip } from './MetaStrip.tsx';
import { ParameterBar } from './parameters/ParameterBar.tsx';
import type { Values } from './parameters/parameterValues.ts';
import { useParameterValues } from './parameters/useParameterValues.ts';
import { QueryDescription } from './QueryDescription.tsx';
import { QueryHeader } from './QueryHeader.tsx';
import styles from './QueryView.module.css';
import { QueryResults } from './results/QueryResults.tsx';
import { ResultBar } from './results/ResultBar.tsx';
import { RunNotice } from './run/RunNotice.tsx';
import { pendingRefusal, runRefusal } from './run/runRefusal.ts';
import { modifierName, useShortcuts } from './shortcuts.ts';
import { useEditedQuery } from './useEditedQuery.ts';
import { useQueryExecution, wholeText } from './useQueryExecution.ts';

/** Screens 6: the result of a query, without its text. */
export function QueryView({ initial, sources }: { initial: Query; sources: readonly DataSource[] }) {
  const edited = useEditedQuery({ initial, firstSource: undefined, hasTemplate: false });
  const { saved, canEdit } = edited;
  const source = sources.find(({ id }) => id === edited.sourceId);
  const state = useParameterValues(edited.parameters, true);
  const { run, execute, canExecute } = useQueryExecution(edited, source, state.applied);
  const { search, hash } = useLocation();
  const can = useCan();
  useTitle(edited.name);

  const isPending = state.pendingNames.length > 0;
  const refresh = (values: Values = state.applied) => {
    if (canExecute && !run.isRunning) execute({ text: edited.text, ...wholeText }, values);
  };
  const { isFullscreen, isOffered, toggle } = useFullscreen();
  useShortcuts({ execute: () => !isPending && refresh(), ...(isOffered && { fullscreen: toggle }) });
  const refusal = runRefusal({ sourceId: edited.sourceId, source, canEdit, canExecute });
  const refreshButton = useRef<HTMLButtonElement>(null);

  return (
    <div className={styles.page}>
      <QueryHeader edited={edited} isViewOnly={source?.view_only !== false}>
        {can('view_source') && <Link to={{ pathname: `/queries/${initial.id}/source`, search, hash }}>Edit Source</Link>}
        <Tooltip title={`${modifierName} + Enter`}>
          <GuardedButton
            ref={refreshButton}
            type="primary"
            icon={<ReloadOutlined />}
            loading={run.isRunning}
            refusal={refusal ?? (isPending && pendingRefusal)}
            onClick={() => refresh()}
          >
            Refresh
          </GuardedButton>
        </Tooltip>
      </QueryHeader>
      {!isFullscreen && (canEdit || edited.description) && (
        <div className={styles.description}>
          <QueryDescription edited={edited} queryId={initial.id} />
        </div>
      )}
      {!isFullscreen && (
        <ParameterBar
          parameters={edited.parameters}
          queryId={initial.id}
          state={state}
          isAutomatic={initial.options.auto_apply === true}
          onApply={refresh}
        />
      )}
      <RunNotice run={run} starter={refreshButton} />
      <QueryResults run={run} query={saved} canEdit={canEdit} setSaved={edited.setSaved} onRun={() => refresh()} refusal={refusal} />
      {saved && !isFullscreen && <MetaStrip query={saved} source={source} />}
      <ResultBar edited={edited} run={run} values={state.applied}>
        {isOffered && (
          <Tooltip title="Toggle Fullscreen (Alt + F)">
            <Button
              size="small"
              type="text"
              icon={isFullscreen ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
              aria-label="Toggle Fullscreen"
              aria-pressed={isFullscreen}
              onClick={toggle}
            />
          </Tooltip>
        )}
      </ResultBar>
    </div>
  );
}
