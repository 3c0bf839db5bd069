import CopyOutlined from '@ant-design/icons/CopyOutlined';
import DeleteOutlined from '@ant-design/icons/DeleteOutlined';
import EditOutlined from '@ant-design/icons/EditOutlined';
import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { Query } from '@telltale/domain/queries/contract.ts';
import { type Visualization, visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useWrite } from '../../api/query.ts';
import { confirm } from '../../ui/confirm.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import type { QueryRun } from '../run/useQueryRun.ts';
import type { EditedQuery } from '../useEditedQuery.ts';
import { activeVisualization } from './activeVisualization.ts';
import { NamedButton } from './NamedButton.tsx';

const VisualizationDialog = lazy(() => import('../dialogs/VisualizationDialog.tsx'));

/** Answers null when the query was not saved. */
export type SaveQuery = () => Promise<Query | null>;

interface VisualizationToolsProps {
  edited: EditedQuery;
  run: QueryRun;
  onSave?: SaveQuery | undefined;
}

/** Screens 5.9 and 5.10: editors add, change and delete the visualizations of a query; the oldest one stays. */
export function VisualizationTools({ edited, run, onSave }: VisualizationToolsProps) {
  const { saved, canEdit, setSaved } = edited;
  const [dialog, setDialog] = useState<{ visualization: Visualization | null } | null>(null);
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const copy = useWrite(visualizationsApi.create, { saved: 'Visualization saved', failed: 'Visualization could not be saved' });
  const remove = useWrite(visualizationsApi.remove, { failed: "Error deleting visualization. Maybe it's used in a dashboard?" });
  if (!canEdit || !run.result) return null;
  const { active, oldest } = activeVisualization(saved?.visualizations ?? [], hash);

  const change = (next: (all: Query['visualizations']) => Query['visualizations']) =>
    setSaved((before) => before && { ...before, visualizations: next(before.visualizations) });
  const keep = (visualization: Visualization) => {
    const isKnown = saved?.visualizations.some(({ id }) => id === visualization.id);
    change((all) => (isKnown ? all.map((one) => (one.id === visualization.id ? visualization : one)) : [...all, visualization]));
    if (dialog?.visualization === null) navigate({ search, hash: `#${visualization.id}` });
  };
  /** Screens 16.9: a visualization belongs to a saved query, so a new one is saved first. */
  const add = async () => {
    if (saved || (await onSave?.())) setDialog({ visualization: null });
  };
  const duplicate = async ({ query_id, type, name, description, options }: Visualization) => {
    const fields = { type, name: `Copy of ${name}`.slice(0, 255), description, options };
    const made = await copy.mutateAsync({ body: { ...fields, query_id } }).catch(() => null);
    if (!made) return;
    change((all) => [...all, made]);
    navigate({ search, hash: `#${made.id}` });
  };
  const ask = (visualization: Visualization) =>
    confirm({
      title: 'Delete Visualization',
      content: `Are you sure you want to delete this visualization, “${visualization.name}”?`,
      okText: 'Delete',
      danger: true,
      onOk: () => remove.mutateAsync({ params: { id: visualization.id } }),
    }).then((isDone) => {
      if (!isDone) return;
      change((all) => all.filter(({ id }) => id !== visualization.id));
      navigate({ search, hash: '' }, { replace: true });
    });

  return (
    <>
      {active && <NamedButton text="Edit Visualization" icon={<EditOutlined />} onClick={() => setDialog({ visualization: active })} />}
      {active && (
        <Tooltip title="Duplicate Visualization">
          <Button
            size="small"
            type="text"
            icon={<CopyOutlined />}
            loading={copy.isPending}
            aria-label={`Duplicate ${active.name}`}
            onClick={() => void duplicate(active)}
          />
        </Tooltip>
      )}
      {active && active !== oldest && (
        <Button
          size="small"
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={`Delete ${active.name}`}
          onClick={() => void ask(active)}
        />
      )}
      {run.status === 'done' && <NamedButton text="Add Visualization" icon={<PlusOutlined />} onClick={() => void add()} />}
      <Suspense>
        {dialog && saved && (
          <VisualizationDialog
            queryId={saved.id}
            visualization={dialog.visualization}
            columnDisplay={saved.column_display}
            data={run.result.data}
            onSaved={keep}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </>
  );
}
