import type { Query } from '@telltale/domain/queries/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { Button } from 'antd';
import { useLocation } from 'react-router';
import { useWrite } from '../../api/query.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { StoredOptions } from '../../visualizations/define.ts';
import type { QueryRun } from '../run/useQueryRun.ts';
import type { EditedQuery } from '../useEditedQuery.ts';
import { activeVisualization } from './activeVisualization.ts';
import styles from './QueryResults.module.css';
import { ResultArea } from './ResultArea.tsx';
import { VisualizationTabs } from './VisualizationTabs.tsx';

interface QueryResultsProps {
  run: QueryRun;
  query: Pick<Query, 'id' | 'visualizations' | 'column_display' | 'can_edit'> | null;
  canEdit: boolean;
  setSaved: EditedQuery['setSaved'];
  onRun: () => void;
  /** The reason why it cannot be run, or null. */
  refusal: string | null;
  /** The text while there is no result, instead of the usual one. */
  hint?: string | undefined;
}

/** Screens 5.9: the result as the active visualization draws it, under a tab for each. */
export function QueryResults({ run, query, canEdit, setSaved, onRun, refusal, hint }: QueryResultsProps) {
  const { hash } = useLocation();
  const { active } = activeVisualization(query?.visualizations ?? [], hash);
  const save = useWrite(visualizationsApi.save, { saved: 'Saved as default', failed: 'Visualization could not be saved' });
  const saveView = async (changes: StoredOptions) => {
    if (active?.id == null) return;
    const reply = await save.mutateAsync({ params: { id: active.id }, body: { options: { ...active.options, ...changes } } });
    const replaced = <T extends { id: number | null }>(one: T) => (one.id === reply.id ? { ...one, options: reply.options } : one);
    setSaved((before) => before && { ...before, visualizations: before.visualizations.map(replaced) });
  };
  return (
    <section className={styles.results} aria-label="Result" aria-busy={run.isRunning}>
      {query && query.visualizations.length > 1 && <VisualizationTabs query={query} canEdit={canEdit} setSaved={setSaved} />}
      <ResultArea
        run={run}
        visualization={active}
        columnDisplay={query?.column_display}
        onSaveView={query?.can_edit ? saveView : undefined}
        empty={run.status === 'failed' ? null : <NoResult onRun={onRun} refusal={refusal} hint={hint} />}
      />
    </section>
  );
}

function NoResult({ onRun, refusal, hint }: Pick<QueryResultsProps, 'onRun' | 'refusal' | 'hint'>) {
  if (hint) return <p className={styles.hint}>{hint}</p>;
  if (refusal) return <EmptyState>{refusal}</EmptyState>;
  return (
    <EmptyState action={<Button onClick={onRun}>Refresh Now</Button>}>
      Query Has no Result — Execute/Refresh the query to show results.
    </EmptyState>
  );
}
