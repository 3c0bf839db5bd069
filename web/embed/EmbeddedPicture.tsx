import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useTitle } from '../layout/useTitle.ts';
import { readEmbedFlags } from '../queries/embedFlags.ts';
import { ParameterBar } from '../queries/parameters/ParameterBar.tsx';
import type { Values } from '../queries/parameters/parameterValues.ts';
import { useParameterValues } from '../queries/parameters/useParameterValues.ts';
import { viewerTimeZone } from '../queries/parameters/viewerClock.ts';
import type { KeyAsked } from '../queries/results/downloadItems.tsx';
import { ResultArea } from '../queries/results/ResultArea.tsx';
import { savedValuesToSend } from '../queries/run/runRequest.ts';
import { useQueryRun } from '../queries/run/useQueryRun.ts';
import { ChartMarksGroup } from '../visualizations/chart/ChartMarks.tsx';
import { EmbedFooter } from './EmbedFooter.tsx';
import styles from './EmbedPage.module.css';
import type { EmbeddedQuery, EmbeddedVisualization } from './embedded.ts';
import { useQueryMarks } from './publicMarks.ts';

interface EmbeddedPictureProps {
  query: EmbeddedQuery;
  visualization: EmbeddedVisualization;
  /** Called after a run, which may have become the query's latest result. */
  onRan: () => void;
}

/** All readers within one minute see the same result: a popular page costs the database one run. */
const sharedForSeconds = 60;

export function EmbeddedPicture({ query, visualization, onRan }: EmbeddedPictureProps) {
  const { search } = useLocation();
  const { parameters } = query.options;
  const flags = readEmbedFlags(search);
  const state = useParameterValues(parameters, true);
  const run = useQueryRun();
  const marks = useQueryMarks(query.id);
  const [asked, setAsked] = useState<KeyAsked['asked']>(null);
  useTitle(query.name);

  const execute = (values: Values, max_age: number) => {
    const sent = savedValuesToSend(parameters, values, viewerTimeZone());
    const apply_auto_limit = query.options.apply_auto_limit ?? false;
    void run.run({ kind: 'saved', id: query.id, ...sent, max_age, apply_auto_limit }).then((end) => {
      if (!end?.result) return;
      setAsked(sent);
      onRan();
    });
  };

  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    const age = Number(new URLSearchParams(search).get('maxAge') ?? -1);
    execute(state.applied, Number.isInteger(age) && age >= 0 ? age : -1);
  });

  return (
    <article className={styles.page}>
      {!flags.hide_header && (
        <header className={styles.header}>
          <h1>
            {visualization.name} <span>{query.name}</span>
          </h1>
          {flags.showDescription && query.description && <p>{query.description}</p>}
        </header>
      )}
      {!flags.hide_parameters && (
        <ParameterBar
          parameters={parameters}
          queryId={query.id}
          state={state}
          isAutomatic={false}
          onApply={(values) => execute(values, sharedForSeconds)}
        />
      )}
      {run.status === 'failed' && run.fault && (
        <p className={styles.problem} role="alert">
          Error: {run.fault.message}
        </p>
      )}
      <ChartMarksGroup marks={marks} onRange={null}>
        <ResultArea run={run} visualization={visualization} columnDisplay={query.column_display} empty={null} />
      </ChartMarksGroup>
      <EmbedFooter query={query} run={run} flags={flags} asked={asked} />
    </article>
  );
}
