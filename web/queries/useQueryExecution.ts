import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { missingMessage, missingParameters } from '@telltale/domain/parameters/check.ts';
import { type QueryParameter, savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { parametersInUse } from '@telltale/domain/parameters/placeholders.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import { isSameValue } from '@telltale/domain/parameters/same-value.ts';
import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { recordEvent } from '../api/events.ts';
import { useCan } from '../api/session.ts';
import type { Values } from './parameters/parameterValues.ts';
import { useViewerClock, viewerTimeZone } from './parameters/viewerClock.ts';
import { askToNotify, notifyWhenHidden } from './run/notifyWhenHidden.ts';
import { savedValuesToSend, textValuesToSend } from './run/runRequest.ts';
import { type PlaceOf, useQueryRun } from './run/useQueryRun.ts';
import type { EditedQuery } from './useEditedQuery.ts';

interface Part {
  text: string;
  /** A selection or one statement: not the query itself. */
  isPart: boolean;
  /** The start of the part in the editor: lines above it, characters before it in its first line. */
  lineOffset: number;
  columnOffset: number;
}

/** The place of a run that is not a part. */
export const wholeText = { isPart: false, lineOffset: 0, columnOffset: 0 } as const;

/** Screens 5.6: the run for the current screen, and the run that starts by itself. */
export function useQueryExecution(edited: EditedQuery, source: DataSource | undefined, applied: Values) {
  const run = useQueryRun();
  const can = useCan();
  const viewerClock = useViewerClock();
  const { search } = useLocation();
  const { saved, definitions, hasNewDefinitions, autoLimit, isLimitDirty, isElsewhere, baseline, database } = edited;
  const isTextSafe = saved !== null && !edited.isTextDirty && isSafe(saved.query, definitions);
  const mayRunText = can('execute_query') && source?.view_only === false;
  const canExecute = mayRunText || (isTextSafe && source !== undefined);

  const execute = (part: Part, values: Values, maxAge = 0) => {
    const { text, isPart } = part;
    if (text.trim() === '') return run.fail("Can't execute empty query.");
    const missing = missingParameters(text, definitions, values);
    if (missing.length > 0) return run.fail(missingMessage(missing));
    const inUse = parametersInUse(text, definitions);
    const isSaved =
      saved !== null &&
      !isPart &&
      text === baseline &&
      !hasNewDefinitions &&
      !isLimitDirty &&
      !isElsewhere &&
      edited.sourceId === saved.data_source_id;
    const parameters = textValuesToSend(inUse, values, viewerClock());
    const apply_auto_limit = source?.supports_auto_limit === true && autoLimit;
    recordEvent('execute', 'query', saved?.id ?? null);
    if (maxAge === 0) askToNotify();
    const running = run.run(
      isSaved
        ? {
            kind: 'saved',
            id: saved.id,
            ...savedValuesToSend(inUse, values, viewerTimeZone()),
            max_age: maxAge,
            apply_auto_limit,
          }
        : {
            kind: 'text',
            query: text,
            data_source_id: edited.sourceId,
            database: source?.has_databases ? database : null,
            // The server would check new, unsaved definitions against the old ones.
            query_id: hasNewDefinitions ? null : (saved?.id ?? null),
            parameters,
            max_age: maxAge,
            apply_auto_limit,
            time_zone: viewerTimeZone(),
          },
      placeIn(source, part, { definitions: inUse, values: parameters, isLimited: apply_auto_limit }),
    );
    if (maxAge === 0) void running.then((end) => notifyWhenHidden(edited.name, end));
  };

  /** A stored result is shown at once; a query with parameters loads the result for their values. */
  const hasLoaded = useRef(false);
  // Begins before the first paint, which otherwise would say that there is no result.
  useLayoutEffect(() => {
    if (hasLoaded.current || !saved) return;
    hasLoaded.current = true;
    if (saved.running && isAsSaved(edited.parameters, applied)) {
      const isLimited = source?.supports_auto_limit === true && (saved.options.apply_auto_limit ?? false);
      const ran = { definitions: edited.parameters, values: textValuesToSend(edited.parameters, applied, viewerClock()), isLimited };
      const running = run.resume(saved.running, saved.latest_query_data_id, placeIn(source, { text: saved.query, ...wholeText }, ran));
      return void running.then((end) => notifyWhenHidden(edited.name, end));
    }
    const given = Number(new URLSearchParams(search).get('maxAge') ?? Number.NaN);
    const maxAge = Number.isInteger(given) && given >= -1 ? given : -1;
    const hasParameters = edited.parameters.length > 0;
    if (saved.latest_query_data_id === null && !hasParameters) return;
    if (saved.latest_query_data_id !== null && !hasParameters && maxAge === -1) return void run.show(saved.latest_query_data_id);
    // Missing values are no failure on the first load: the user has yet to enter them.
    if (missingParameters(saved.query, definitions, applied).length > 0) return;
    if (canExecute) execute({ text: saved.query, ...wholeText }, applied, maxAge);
  });

  return { run, execute, canExecute };
}

/** The running job uses the saved values; the address may have others. */
const isAsSaved = (parameters: readonly QueryParameter[], values: Values): boolean =>
  parameters.every((parameter) => isSameValue(parameter, values[parameter.name], savedValueOf(parameter)));

/** Maps a fault of the text that ran to its place in the editor. */
const placeIn =
  (
    source: DataSource | undefined,
    { text, lineOffset, columnOffset }: Part,
    ran: { definitions: readonly QueryParameter[]; values: Record<string, unknown>; isLimited: boolean },
  ): PlaceOf =>
  async (told) => {
    const { placeInText } = await import('@telltale/domain/parameters/fault-place.ts');
    const { line, column } = source?.syntax === 'sql' ? placeInText(told, { text, dialect: source.dialect, ...ran }) : told;
    return { line: line + lineOffset, column: line === 1 ? column + columnOffset : column };
  };
