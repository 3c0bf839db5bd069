import type { Query } from '@telltale/domain/queries/contract.ts';
import { Button } from 'antd';
import { Link, useLocation } from 'react-router';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { QueryRun } from '../run/useQueryRun.ts';
import { activeVisualization } from './activeVisualization.ts';
import styles from './QueryResults.module.css';
import { ResultArea } from './ResultArea.tsx';

interface QueryResultsProps {
  run: QueryRun;
  query: Pick<Query, 'visualizations'> | null;
  onRun: () => void;
  /** Why it cannot be run, where that is so. */
  refusal: string | null;
  /** Instead of the usual words, while there is no result. */
  hint?: string | undefined;
}

/** Screens 5.9: a tab for each visualization in the order of their making; the first has no hash, an unknown one is the first. */
export function QueryResults({ run, query, onRun, refusal, hint }: QueryResultsProps) {
  const { hash, search } = useLocation();
  const { all, active } = activeVisualization(query?.visualizations ?? [], hash);
  return (
    <section className={styles.results} aria-label="Result" aria-busy={run.isRunning}>
      {all.length > 1 && (
        <nav className={styles.tabs} aria-label="Visualizations">
          {all.map(({ id, name }, at) => (
            <Link
              key={id}
              className={styles.tab}
              to={{ search, hash: at === 0 ? '' : `#${id}` }}
              preventScrollReset
              aria-current={id === active?.id ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
      <ResultArea
        run={run}
        visualization={active}
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
