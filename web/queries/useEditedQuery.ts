import { useQueryClient } from '@tanstack/react-query';
import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { parametersInUse, rememberParameters } from '@telltale/domain/parameters/placeholders.ts';
import { type Query, type QueryChanges, queriesApi } from '@telltale/domain/queries/contract.ts';
import { databaseOf, withDatabase } from '@telltale/domain/queries/query-database.ts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { ApiError, call } from '../api/call.ts';
import { recordEvent } from '../api/events.ts';
import { useCan, useSession } from '../api/session.ts';
import { notify } from '../ui/notify.tsx';
import { notifyWithUndo } from '../ui/notifyWithUndo.tsx';
import { isBoolean, isString, localKeys, readLocal, writeLocal } from './localOptions.ts';
import { templateParameters, templateText } from './newQueryTemplate.ts';
import { type Values, withValues } from './parameters/parameterValues.ts';
import { saveFields, saveText } from './saving.ts';
import { useLocalDraft } from './useLocalDraft.ts';

const newQueryName = 'New Query';

interface EditedQueryOptions {
  initial: Query | null;
  firstSource: DataSource | undefined;
  /** Q2: a new query on IoT data starts with a text. */
  hasTemplate: boolean;
  /** Puts a text into the editor, where there is one. */
  showText?: (text: string) => void;
}

const startOf = (source: DataSource | undefined, hasTemplate: boolean): { text: string; parameters: readonly QueryParameter[] } =>
  hasTemplate && source?.type === 'telltale' ? { text: templateText, parameters: templateParameters } : { text: '', parameters: [] };

const rememberedDatabase = (sourceId: number | undefined): string | null =>
  sourceId === undefined ? null : readLocal(localKeys.lastDatabase(sourceId), '', isString) || null;

export type EditedQuery = ReturnType<typeof useEditedQuery>;

/** Screens 5.3: a query while it is worked on: what is saved, what is not yet, and what saves when. */
export function useEditedQuery({ initial, firstSource, hasTemplate, showText }: EditedQueryOptions) {
  const can = useCan();
  const { client_config } = useSession();
  const client = useQueryClient();
  const start = startOf(firstSource, hasTemplate);
  const [saved, setSaved] = useState(initial);
  const [fresh, setFresh] = useState<{ name: string; description: string | null; tags: string[] }>({
    name: newQueryName,
    description: null,
    tags: [],
  });
  const [baseline, setBaseline] = useState(initial?.query ?? start.text);
  const [text, setText] = useState(baseline);
  // What others have saved since then is not overwritten unseen.
  const [textVersion, setTextVersion] = useState(initial?.version ?? 0);
  const [definitions, setDefinitions] = useState<readonly QueryParameter[]>(initial?.options.parameters ?? start.parameters);
  const [hasNewDefinitions, setNewDefinitions] = useState(false);
  const [sourceId, setSourceId] = useState(initial ? initial.data_source_id : (firstSource?.id ?? null));
  const [autoLimit, setAutoLimitState] = useState(() =>
    initial ? (initial.options.apply_auto_limit ?? false) : readLocal(localKeys.applyAutoLimit, true, isBoolean),
  );
  const [database, setDatabaseState] = useState(() => (initial ? databaseOf(initial.options) : rememberedDatabase(firstSource?.id)));
  const [isSaving, setSaving] = useState(false);
  const isBusy = useRef(false);

  const parameters = useMemo(() => parametersInUse(text, definitions), [text, definitions]);
  const isTextDirty = text !== baseline;
  const isLimitDirty = saved !== null && text.trim() !== '' && autoLimit !== (saved.options.apply_auto_limit ?? false);
  const isElsewhere = saved !== null && database !== databaseOf(saved.options);
  const isDirty = isTextDirty || isLimitDirty || isElsewhere || hasNewDefinitions;
  const canEdit = saved ? can('edit_query') && saved.can_edit === true && !saved.is_archived : can('create_query');
  const id = saved?.id ?? null;

  const localDraft = useLocalDraft(id, text, isTextDirty, canEdit);
  const latest = useRef({ text, baseline });
  latest.current = { text, baseline };

  const refreshReads = useCallback(() => {
    for (const path of ['/api/queries', '/api/queries/my', '/api/queries/:id'])
      void client.invalidateQueries({ queryKey: ['GET', path], refetchType: 'none' });
  }, [client]);

  /** Shows a query as it is on the server now; the text may have more in it than was saved. */
  const adopt = (query: Query, nextText = query.query): void => {
    setSaved((before) => ({ ...query, can_edit: query.can_edit ?? before?.can_edit ?? true }));
    setBaseline(query.query);
    setText(nextText);
    setTextVersion(query.version);
    setDefinitions((before) =>
      rememberParameters(
        query.options.parameters,
        before.filter(({ name }) => !query.options.parameters.some((one) => one.name === name)),
      ),
    );
    setNewDefinitions(false);
    setSourceId(query.data_source_id);
    setDatabaseState(databaseOf(query.options));
    setAutoLimitState(query.options.apply_auto_limit ?? false);
    showText?.(nextText);
    refreshReads();
  };

  /** Name, description, tags, state: at once, and unsaved text survives. Rejects when it could not be saved. */
  const saveDetails = async (changes: QueryChanges, { isSilent = false, message = 'Query saved' } = {}): Promise<void> => {
    if (!saved) {
      setFresh((before) => ({ ...before, ...(changes as Partial<typeof before>) }));
      return;
    }
    const isPublishing =
      client_config.autoPublishNamedQueries && saved.is_draft && saved.name === newQueryName && changes.name !== undefined;
    const reply = await saveFields(saved, isPublishing ? { ...changes, is_draft: false } : changes).catch((error: unknown) => {
      notify.error('Query could not be saved');
      throw error;
    });
    if (!reply) throw new Error('not saved');
    const { text: shown, baseline: base } = latest.current;
    // Somebody else saved another text meanwhile: shown where nothing was typed, and otherwise left to the next save to decide about.
    if (reply.query === base) setTextVersion(reply.version);
    else if (shown === base) adopt(reply);
    const { query: _, options: __, can_edit: ___, ...rest } = reply;
    setSaved((before) => before && { ...before, ...rest, ...(changes.options && { options: reply.options }) });
    refreshReads();
    if (!isSilent) notify.success(isPublishing ? 'Query saved and published' : message);
  };

  /** Somebody else's version instead of one's own; what was typed comes back at a click, and at the next visit. */
  const takeOver = (theirs: Query, nextText: string, typed: string) => {
    adopt(theirs, nextText);
    if (nextText !== theirs.query) return void notify.success('Both changes are in the editor now. Save them when they are right.');
    localDraft.keep(typed);
    notifyWithUndo('success', 'Their version is shown now.', () => {
      setText(typed);
      showText?.(typed);
    });
  };

  /** The whole query. Answers the saved query, or null when it was not saved. */
  const save = async (currentText: string, values: Values): Promise<Query | null> => {
    if (isBusy.current || !canEdit) return null;
    isBusy.current = true;
    setSaving(true);
    try {
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
      const reply = outcome.saved;
      localDraft.drop();
      setSaved({ ...reply, can_edit: reply.can_edit ?? true });
      setBaseline(reply.query);
      setTextVersion(reply.version);
      setDefinitions(reply.options.parameters);
      setNewDefinitions(false);
      refreshReads();
      notify.success('Query saved');
      return reply;
    } catch (error) {
      notify.error(
        error instanceof ApiError && error.status === 400 ? `Query could not be saved. ${error.message}` : 'Query could not be saved',
      );
      return null;
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  };

  /** Screens 16.4: on an existing query silently and at once. Answers the text to show when an untouched template changes. */
  const chooseSource = (source: DataSource): string | null => {
    setSourceId(source.id);
    setDatabaseState(rememberedDatabase(source.id));
    writeLocal(localKeys.lastDataSource, source.id);
    if (saved) {
      recordEvent('update_data_source', 'query', saved.id, { dataSourceId: source.id });
      void saveDetails({ data_source_id: source.id }, { isSilent: true }).catch(() => setSourceId(saved.data_source_id));
      return null;
    }
    if (isTextDirty) return null;
    const next = startOf(source, hasTemplate);
    setBaseline(next.text);
    setText(next.text);
    setDefinitions(next.parameters);
    return next.text;
  };

  /** Screens 16.3: saved at once while the text is clean, otherwise with the next save. */
  const changeParameters = (next: readonly QueryParameter[], values: Values, isAdding = false): void => {
    const all = rememberParameters(definitions, next);
    const known = new Map(all.map((definition) => [definition.name, definition]));
    const ordered = [...next, ...all.filter(({ name }) => !next.some((one) => one.name === name))].map(({ name }) => known.get(name));
    setDefinitions(ordered.filter((definition) => definition !== undefined));
    if (!saved) return;
    // The placeholder of a new one is not in the text yet, so there is nothing to save.
    if (isAdding || isTextDirty || isLimitDirty) setNewDefinitions(true);
    else void saveDetails({ options: { ...saved.options, parameters: withValues(next, values) } }).catch(() => setNewDefinitions(true));
  };

  const setDatabase = (name: string | null) => {
    setDatabaseState(name);
    if (sourceId !== null) writeLocal(localKeys.lastDatabase(sourceId), name);
  };

  const setAutoLimit = (isOn: boolean) => {
    setAutoLimitState(isOn);
    writeLocal(localKeys.applyAutoLimit, isOn);
    recordEvent('checkbox_auto_limit', 'screen', 'query_editor', { state: isOn });
  };

  return {
    saved,
    id,
    name: saved?.name ?? fresh.name,
    description: (saved ? saved.description : fresh.description) ?? '',
    tags: saved?.tags ?? fresh.tags,
    text,
    setText,
    baseline,
    definitions,
    hasNewDefinitions,
    parameters,
    changeParameters,
    sourceId,
    chooseSource,
    autoLimit,
    setAutoLimit,
    database,
    setDatabase,
    isElsewhere,
    isLimitDirty,
    isDirty,
    isTextDirty,
    isSaving,
    canEdit,
    save,
    saveDetails,
    setSaved,
    adopt,
  };
}
