import { useQueryClient } from '@tanstack/react-query';
import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { parametersInUse } from '@telltale/domain/parameters/placeholders.ts';
import { type Query, type QueryChanges, queriesApi } from '@telltale/domain/queries/contract.ts';
import { withDatabase } from '@telltale/domain/queries/query-database.ts';
import { useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react';
import { ApiError, call } from '../api/call.ts';
import { recordEvent } from '../api/events.ts';
import { useCan, useSession } from '../api/session.ts';
import { notify } from '../ui/notify.tsx';
import { notifyWithUndo } from '../ui/notifyWithUndo.tsx';
import {
  isDirty,
  isElsewhere,
  isLimitDirty,
  isTextDirty,
  newQueryName,
  orderedDefinitions,
  type QueryStart,
  reduceEdited,
  startEdited,
  usedParameters,
} from './editedQuery.ts';
import { isBoolean, isString, localKeys, readLocal, writeLocal } from './localOptions.ts';
import { templateParameters, templateText } from './newQueryTemplate.ts';
import { type Values, withValues } from './parameters/parameterValues.ts';
import { saveFields, saveText } from './saving.ts';
import { useLocalDraft } from './useLocalDraft.ts';

interface EditedQueryOptions {
  initial: Query | null;
  firstSource: DataSource | undefined;
  /** Q2: a new query on IoT data starts with a text. */
  hasTemplate: boolean;
  /** Puts a text into the editor, where there is one. */
  showText?: (text: string) => void;
}

const startOf = (source: DataSource | undefined, hasTemplate: boolean): QueryStart =>
  hasTemplate && source?.type === 'telltale'
    ? { text: templateText(source.dialect), parameters: templateParameters }
    : { text: '', parameters: [] };

const rememberedDatabase = (sourceId: number | undefined): string | null =>
  sourceId === undefined ? null : readLocal(localKeys.lastDatabase(sourceId), '', isString) || null;

export type EditedQuery = ReturnType<typeof useEditedQuery>;

/** Screens 5.3: a query while it is edited. The state is in editedQuery.ts; this hook saves it and reports what happened. */
export function useEditedQuery({ initial, firstSource, hasTemplate, showText }: EditedQueryOptions) {
  const can = useCan();
  const { client_config } = useSession();
  const client = useQueryClient();
  const [state, dispatch] = useReducer(reduceEdited, null, () =>
    startEdited({
      initial,
      start: startOf(firstSource, hasTemplate),
      sourceId: firstSource?.id ?? null,
      autoLimit: readLocal(localKeys.applyAutoLimit, true, isBoolean),
      database: rememberedDatabase(firstSource?.id),
    }),
  );
  const { saved, fresh, baseline, text, textVersion, definitions, sourceId, autoLimit, database, editorText } = state;
  const isBusy = useRef(false);
  const parameters = useMemo(() => usedParameters({ text, definitions }), [text, definitions]);
  const canEdit = saved ? can('edit_query') && saved.can_edit === true && !saved.is_archived : can('create_query');
  const id = saved?.id ?? null;
  const localDraft = useLocalDraft(id, text, isTextDirty(state), canEdit);

  const show = useEffectEvent((next: string) => showText?.(next));
  useEffect(() => {
    if (editorText) show(editorText.text);
  }, [editorText]);

  const refreshReads = useCallback(() => {
    for (const path of ['/api/queries', '/api/queries/my', '/api/queries/:id'])
      void client.invalidateQueries({ queryKey: ['GET', path], refetchType: 'none' });
  }, [client]);

  /** Shows the server's current query; the text in the editor may contain unsaved changes. */
  const adopt = (query: Query, nextText = query.query): void => {
    dispatch({ type: 'adopted', query, text: nextText });
    refreshReads();
  };

  /** Saves name, description, tags or state at once, and keeps unsaved text. Rejects when it could not be saved. */
  const saveDetails = async (changes: QueryChanges, { isSilent = false, message = 'Query saved' } = {}): Promise<void> => {
    if (!saved) {
      dispatch({ type: 'detailsTyped', details: changes as Partial<typeof fresh> });
      return;
    }
    const isPublishing =
      client_config.autoPublishNamedQueries && saved.is_draft && saved.name === newQueryName && changes.name !== undefined;
    const reply = await saveFields(saved, isPublishing ? { ...changes, is_draft: false } : changes).catch((error: unknown) => {
      notify.error('Query could not be saved');
      throw error;
    });
    if (!reply) throw new Error('not saved');
    dispatch({ type: 'detailsSaved', reply, hasOptions: changes.options !== undefined });
    refreshReads();
    if (!isSilent) notify.success(isPublishing ? 'Query saved and published' : message);
  };

  /** Shows somebody else's version instead of one's own; the typed text comes back at a click, and at the next visit. */
  const takeOver = (theirs: Query, nextText: string, typed: string) => {
    adopt(theirs, nextText);
    if (nextText !== theirs.query) return void notify.success('Both changes are in the editor now. Save them when they are right.');
    localDraft.keep(typed);
    notifyWithUndo('success', 'Their version is shown now.', () => dispatch({ type: 'restored', text: typed }));
  };

  const saveAll = async (currentText: string, values: Values): Promise<Query | null> => {
    const inUse = withValues(parametersInUse(currentText, definitions), values);
    const options = withDatabase({ ...saved?.options, parameters: inUse, apply_auto_limit: autoLimit }, database);
    const body = { query: currentText, options, ...(sourceId !== null && { data_source_id: sourceId }) };
    if (!saved && sourceId === null) {
      notify.error('Choose a data source before saving the query.');
      return null;
    }
    const outcome = saved
      ? await saveText({ saved, baseline, version: textVersion, body })
      : { saved: await call(queriesApi.create, { body: { ...fresh, ...body, data_source_id: sourceId ?? 0 } }) };
    if (!outcome) return null;
    if ('adopted' in outcome) {
      takeOver(outcome.adopted, outcome.text, currentText);
      return null;
    }
    localDraft.drop();
    refreshReads();
    notify.success('Query saved');
    return outcome.saved;
  };

  /** Saves the whole query. Answers the saved query, or null when it was not saved. */
  const save = async (currentText: string, values: Values): Promise<Query | null> => {
    if (isBusy.current || !canEdit) return null;
    isBusy.current = true;
    dispatch({ type: 'saving' });
    let reply: Query | null = null;
    try {
      reply = await saveAll(currentText, values);
    } catch (error) {
      const reason = error instanceof ApiError && error.status === 400 ? error.message : undefined;
      notify.error('Query could not be saved', reason === undefined ? {} : { description: reason });
    } finally {
      isBusy.current = false;
      dispatch(reply ? { type: 'saveEnded', reply } : { type: 'saveEnded' });
    }
    return reply;
  };

  /** Screens 16.4: saves silently and at once on an existing query. Returns the text to show when an untouched template changes. */
  const chooseSource = (source: DataSource): string | null => {
    const start = startOf(source, hasTemplate);
    dispatch({ type: 'sourceChosen', sourceId: source.id, database: rememberedDatabase(source.id), start });
    writeLocal(localKeys.lastDataSource, source.id);
    if (saved) {
      recordEvent('update_data_source', 'query', saved.id, { dataSourceId: source.id });
      void saveDetails({ data_source_id: source.id }, { isSilent: true }).catch(() => dispatch({ type: 'sourceRefused' }));
      return null;
    }
    return isTextDirty(state) ? null : start.text;
  };

  /** Screens 16.3: saved at once while the text is clean, otherwise with the next save. */
  const changeParameters = (next: readonly QueryParameter[], values: Values, isAdding = false): void => {
    // The placeholder of a new one is not in the text yet, so there is nothing to save.
    const isPending = saved !== null && (isAdding || isTextDirty(state) || isLimitDirty(state));
    dispatch({ type: 'parametersChanged', definitions: orderedDefinitions(definitions, next), isPending });
    if (!saved || isPending) return;
    void saveDetails({ options: { ...saved.options, parameters: withValues(next, values) } }).catch(() =>
      dispatch({ type: 'parametersPending' }),
    );
  };

  const setDatabase = (name: string | null) => {
    dispatch({ type: 'databaseChosen', database: name });
    if (sourceId !== null) writeLocal(localKeys.lastDatabase(sourceId), name);
  };

  const setAutoLimit = (isOn: boolean) => {
    dispatch({ type: 'autoLimitSet', isOn });
    writeLocal(localKeys.applyAutoLimit, isOn);
    recordEvent('checkbox_auto_limit', 'screen', 'query_editor', { state: isOn });
  };

  /** Saved at once, as the order of parameters is; the unsaved text stays as it is. */
  const setAutoApply = (auto_apply: boolean) => {
    if (saved) void saveDetails({ options: { ...saved.options, auto_apply } }, { isSilent: true }).catch(() => {});
  };

  const setText = useCallback((next: string) => dispatch({ type: 'typed', text: next }), []);
  const setSaved = useCallback((change: (before: Query | null) => Query | null) => dispatch({ type: 'savedChanged', change }), []);

  return {
    ...state,
    id,
    name: saved?.name ?? fresh.name,
    description: (saved ? saved.description : fresh.description) ?? '',
    tags: saved?.tags ?? fresh.tags,
    setText,
    parameters,
    changeParameters,
    chooseSource,
    setAutoLimit,
    setAutoApply,
    setDatabase,
    isElsewhere: isElsewhere(state),
    isLimitDirty: isLimitDirty(state),
    isDirty: isDirty(state),
    isTextDirty: isTextDirty(state),
    canEdit,
    save,
    saveDetails,
    setSaved,
    adopt,
  };
}
