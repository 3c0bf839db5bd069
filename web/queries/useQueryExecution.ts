import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { missingMessage, missingParameters } from '@telltale/domain/parameters/check.ts';
import { type QueryParameter, savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { parametersInUse } from '@telltale/domain/parameters/placeholders.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import { isSameValue } from '@telltale/domain/parameters/same-value.ts';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { recordEvent } from '../api/events.ts';
import { useCan, useSession } from '../api/session.ts';
import { dialectOf } from './editor/dialects.ts';
import type { Values } from './parameters/parameterValues.ts';
import { viewerClock, viewerTimeZone } from './parameters/viewerClock.ts';
import { askToNotify, notifyWhenHidden } from './run/notifyWhenHidden.ts';
import { savedValuesToSend, textValuesToSend } from './run/runRequest.ts';
import { type PlaceOf, useQueryRun } from './run/useQueryRun.ts';
import type { EditedQuery } from './useEditedQuery.ts';

interface Part {
  text: string;
  /** A selection or one statement: not the query itself. */
  isPart: boolean;
  /** Where it begins in the editor: lines above it, characters before it in its first line. */
  lineOffset: number;
  columnOffset: number;
}

/** The place of a run that is not a part. */
export const wholeText = { isPart: false, lineOffset: 0, columnOffset: 0 } as const;

/** Screens 5.6: what is posted for what is on the screen, and what loads by itself. */
export function useQueryExecution(edited: EditedQuery, source: DataSource | undefined, applied: Values) {
  const run = useQueryRun();
  const can = useCan();
  const { timeZone } = useSession().client_config;
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
            ...savedValuesToSend(inUse, values, viewerTimeZone(), timeZone),
            max_age: maxAge,
            apply_auto_limit,
          }
        : {
            kind: 'text',
            query: text,
            data_source_id: edited.sourceId,
            database: source?.has_databases ? database : null,
            // Definitions that the server does not know yet would be checked against the old ones.
            query_id: hasNewDefinitions ? null : (saved?.id ?? null),
            parameters,
            max_age: maxAge,
            apply_auto_limit,
          },
      placeIn(source, part, { definitions: inUse, values: parameters, isLimited: apply_auto_limit }),
    );
    if (maxAge === 0) void running.then((end) => notifyWhenHidden(edited.name, end));
  };

  /** What is there already is shown at once; a query with parameters asks for what fits their values. */
  const hasLoaded = useRef(false);
  useEffect(() => {
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
    // What nobody has asked for yet does not fail: the values are still to be given.
    if (missingParameters(saved.query, definitions, applied).length > 0) return;
    if (canExecute) execute({ text: saved.query, ...wholeText }, applied, maxAge);
  });

  return { run, execute, canExecute };
}

/** The run that goes on meanwhile is one with the saved values; the address may ask for others. */
const isAsSaved = (parameters: readonly QueryParameter[], values: Values): boolean =>
  parameters.every((parameter) => isSameValue(parameter, values[parameter.name], savedValueOf(parameter)));

/** Where in the editor a fault of the text is that ran. */
const placeIn =
  (
    source: DataSource | undefined,
    { text, lineOffset, columnOffset }: Part,
    ran: { definitions: readonly QueryParameter[]; values: Record<string, unknown>; isLimited: boolean },
  ): PlaceOf =>
  async (told) => {
    const { placeInText } = await import('@telltale/domain/parameters/fault-place.ts');
    const { line, column } = source?.syntax === 'sql' ? placeInText(told, { text, dialect: dialectOf(source.type), ...ran }) : told;
    return { line: line + lineOffset, column: line === 1 ? column + columnOffset : column };
  };
