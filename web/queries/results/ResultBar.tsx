import type { MenuProps } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { useCan, useSession } from '../../api/session.ts';
import { addressWith, type Values } from '../parameters/parameterValues.ts';
import type { QueryRun } from '../run/useQueryRun.ts';
import type { EditedQuery } from '../useEditedQuery.ts';
import { activeVisualization } from './activeVisualization.ts';
import { BottomBar } from './BottomBar.tsx';
import { SendToRows } from './SendToRows.tsx';
import { type SaveQuery, VisualizationTools } from './VisualizationTools.tsx';

const AddToDashboardDialog = lazy(() => import('../dialogs/AddToDashboardDialog.tsx'));
const EmbedDialog = lazy(() => import('../dialogs/EmbedDialog.tsx'));

interface ResultBarProps {
  edited: EditedQuery;
  run: QueryRun;
  /** The applied values of the parameters. */
  values: Values;
  /** Saves the query, where it can be a new one. */
  onSave?: SaveQuery | undefined;
  /** Content of the page before the tools. */
  children?: ReactNode;
}

/** Screens 5.10: the bottom bar of a query's pages, with the actions of the shown visualization. */
export function ResultBar({ edited, run, values, onSave, children }: ResultBarProps) {
  const { saved } = edited;
  const { hash } = useLocation();
  const { disablePublicUrls } = useSession().client_config;
  const can = useCan();
  const [isEmbedding, setEmbedding] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const { active } = activeVisualization(saved?.visualizations ?? [], hash);
  const canEmbed = saved?.api_key !== undefined && !saved.is_archived && active !== null && !disablePublicUrls;
  const canAdd = saved !== null && !saved.is_archived && active !== null && can('edit_dashboard');
  const actions: NonNullable<MenuProps['items']> = [
    ...(canAdd ? [{ key: 'dashboard', label: 'Add to Dashboard', onClick: () => setAdding(true) }] : []),
    ...(canEmbed ? [{ key: 'embed', label: 'Embed Elsewhere', onClick: () => setEmbedding(true) }] : []),
  ];
  return (
    <BottomBar run={run} queryId={saved?.id ?? null} actions={actions}>
      {children}
      <VisualizationTools edited={edited} run={run} onSave={onSave} />
      <SendToRows result={run.result} />
      <Suspense>
        {isAdding && saved && active && (
          <AddToDashboardDialog
            visualization={active}
            parameters={saved.options.parameters}
            queryName={saved.name}
            onClose={() => setAdding(false)}
          />
        )}
        {isEmbedding && active && (
          <EmbedDialog
            edited={edited}
            visualization={active}
            values={addressWith('', edited.parameters, values)}
            onClose={() => setEmbedding(false)}
          />
        )}
      </Suspense>
    </BottomBar>
  );
}
