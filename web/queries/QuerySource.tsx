import MenuFoldOutlined from '@ant-design/icons/MenuFoldOutlined';
import MenuUnfoldOutlined from '@ant-design/icons/MenuUnfoldOutlined';
import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { parametersInUse, placeholderText } from '@telltale/domain/parameters/placeholders.ts';
import { normalizeValue } from '@telltale/domain/parameters/values.ts';
import { type Query, queriesApi } from '@telltale/domain/queries/contract.ts';
import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { statementAt } from '@telltale/domain/sql/statements.ts';
import { Button } from 'antd';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { toldReason } from '../api/ApiError.ts';
import { recordEvent } from '../api/events.ts';
import { useRead, useWrite } from '../api/query.ts';
import { useCan } from '../api/session.ts';
import { notify } from '../ui/notify.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { ControlRow } from './ControlRow.tsx';
import { DraftNotice } from './DraftNotice.tsx';
import { DevicePanel } from './devices/DevicePanel.tsx';
import { dropDraft, type LocalDraft, readDraft } from './drafts.ts';
import { dialectOf } from './editor/dialects.ts';
import { EditorBones } from './editor/EditorBones.tsx';
import type { EditorHandle } from './editor/editorHandle.ts';
import { isBoolean, localKeys, readLocal, writeLocal } from './localOptions.ts';
import { MetaStrip } from './MetaStrip.tsx';
import { PaneDivider } from './PaneDivider.tsx';
import { ParameterBar } from './parameters/ParameterBar.tsx';
import { useParameterValues } from './parameters/useParameterValues.ts';
import { QueryHeader } from './QueryHeader.tsx';
import styles from './QuerySource.module.css';
import { QueryResults } from './results/QueryResults.tsx';
import { ResultBar } from './results/ResultBar.tsx';
import { RunNotice } from './run/RunNotice.tsx';
import { isSelectionUsed } from './run/runRequest.ts';
import { SourcePane } from './SourcePane.tsx';
import { SourceSelect } from './SourceSelect.tsx';
import { countColumns, mostLiveColumns } from './schema/filterSchema.ts';
import { useSchema } from './schema/useSchema.ts';
import { useShortcuts } from './shortcuts.ts';
import { useEditedQuery } from './useEditedQuery.ts';
import { useLeaveGuard } from './useLeaveGuard.ts';
import { usePaneSize } from './usePaneSize.ts';
import { useQueryExecution, wholeText } from './useQueryExecution.ts';

const SqlEditor = lazy(() => import('./editor/SqlEditor.tsx'));
const ParameterDialog = lazy(() => import('./parameters/ParameterDialog.tsx'));

interface QuerySourceProps {
  initial: Query | null;
  sources: readonly DataSource[];
  firstSource: DataSource | undefined;
  hasTemplate: boolean;
  /** Where its pages live: /queries or /sql. */
  base: '/queries' | '/sql';
  onCreated: (id: number) => void;
}

const noSnippets: never[] = [];

/** Screens 5: the editor of a query, its source and its result. */
export function QuerySource({ initial, sources, firstSource, hasTemplate, base, onCreated }: QuerySourceProps) {
  const editor = useRef<EditorHandle>(null);
  const edited = useEditedQuery({ initial, firstSource, hasTemplate, showText: (text) => editor.current?.replaceAll(text) });
  const { saved, canEdit, sourceId } = edited;
  const source = sources.find(({ id }) => id === sourceId);
  const schema = useSchema(source ? source.id : null, source?.has_databases ? edited.database : null);
  const state = useParameterValues(edited.parameters, saved !== null);
  const { run, execute, canExecute } = useQueryExecution(edited, source, state.applied);
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const can = useCan();
  const [selected, setSelected] = useState(0);
  const [draft, setDraft] = useState<LocalDraft | null>(() => recoverable(initial, canEdit, edited.baseline));
  const [dialog, setDialog] = useState<{ parameter: QueryParameter | null } | null>(null);
  const [wantsLive, setWantsLive] = useState(() => readLocal(localKeys.liveAutocomplete, true, isBoolean));
  const [isWrapped, setWrapped] = useState(() => readLocal(localKeys.wrapsLines, false, isBoolean));
  const [isSideHidden, setSideHidden] = useState(() => readLocal(localKeys.isSideHidden, false, isBoolean));
  const [editorSize, setEditorSize, resetEditor] = usePaneSize(localKeys.editorPane, 260);
  const snippets = useRead(querySnippetsApi.list, {}, { staleTime: 60_000, retry: false });
  const format = useWrite(queriesApi.format, { failed: (error) => toldReason(error) ?? 'Failed to format query: unknown error.' });
  const letGo = useLeaveGuard(edited.isDirty);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first save leads to another address, whose title is a common one
  useEffect(() => {
    document.title = edited.name;
  }, [edited.name, pathname]);

  useEffect(() => recordEvent('view_source', 'query', initial?.id ?? null), [initial?.id]);

  const isLiveOffered = countColumns(schema.tables) <= mostLiveColumns;
  const syntax = source?.syntax ?? 'sql';
  const canFormat = canEdit && (syntax === 'sql' || syntax === 'json');
  const isPending = state.pendingNames.length > 0;
  const isSelection = selected > 1;

  const setText = (text: string) => {
    editor.current?.replaceAll(text);
    edited.setText(text);
  };
  const valuesIn = (text: string) => state.appliedTo(parametersInUse(text, edited.definitions));
  const executePart = (isStatement: boolean) => {
    if (!canExecute || isPending || run.isRunning) return;
    const read = editor.current?.read() ?? { text: edited.text, selection: '', cursor: 0, lineOffset: 0, columnOffset: 0 };
    const { text, selection, cursor, lineOffset, columnOffset } = read;
    const values = valuesIn(text);
    if (isSelectionUsed(selection)) return execute({ text: selection, isPart: true, lineOffset, columnOffset }, values);
    const statement = isStatement && syntax === 'sql' ? statementAt(text, dialectOf(source?.type), cursor) : null;
    if (!statement) return execute({ text, ...wholeText }, values);
    const above = text.slice(0, statement.start).split('\n');
    const at = { lineOffset: above.length - 1, columnOffset: above.at(-1)?.length ?? 0 };
    execute({ text: statement.text, isPart: statement.text !== text, ...at }, values);
  };
  const executeApplied = (values: typeof state.applied) => {
    if (!canExecute) return;
    execute({ text: editor.current?.read()?.text ?? edited.text, ...wholeText }, values);
  };
  const save = async () => {
    if (!canEdit) return;
    const text = editor.current?.read()?.text ?? edited.text;
    edited.setText(text);
    const reply = await edited.save(text, valuesIn(text));
    if (!reply || saved) return;
    setDraft(null);
    onCreated(reply.id);
    letGo();
    navigate({ pathname: `${base}/${reply.id}/source`, search, hash }, { replace: true });
  };
  const reformat = async () => {
    if (!canFormat) return notify.warning('Query formatting is not supported for your data source syntax.');
    const text = editor.current?.read()?.text ?? edited.text;
    const reply = await format.mutateAsync({ body: { query: text, syntax, data_source_id: sourceId } }).catch(() => null);
    if (reply) setText(reply.query);
  };
  const toggleSide = () => {
    setSideHidden(!isSideHidden);
    writeLocal(localKeys.isSideHidden, !isSideHidden);
  };
  const addParameter = () => setDialog({ parameter: null });
  useShortcuts({
    execute: () => executePart(false),
    'execute-statement': () => executePart(true),
    save: () => void save(),
    format: () => void reformat(),
    'toggle-side': toggleSide,
    ...(canEdit && { 'add-parameter': addParameter }),
  });

  const keepParameter = (parameter: QueryParameter) => {
    const values = state.put(parameter.name, normalizeValue(parameter, parameter.value));
    if (dialog?.parameter) {
      const next = edited.parameters.map((known) => (known.name === parameter.name ? parameter : known));
      edited.changeParameters(next, values);
      return;
    }
    edited.changeParameters([...edited.parameters, parameter], values, true);
    setTimeout(() => editor.current?.insert(placeholderText(parameter)));
  };
  const goTo = (line: number, column: number) => {
    const text = editor.current?.read()?.text ?? '';
    const at =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length +
      (line > 1 ? 1 : 0) +
      column -
      1;
    editor.current?.select(Math.min(at, text.length), Math.min(at, text.length));
    editor.current?.focus();
  };
  const chooseSource = (next: DataSource) => {
    const text = edited.chooseSource(next);
    if (text !== null) editor.current?.replaceAll(text);
  };
  const sourceSelect = <SourceSelect sources={sources} value={sourceId} onChange={chooseSource} isDisabled={!canEdit} />;

  return (
    <div className={styles.page}>
      <QueryHeader edited={edited} isViewOnly={source?.view_only !== false} onLeave={letGo} onText={canEdit ? setText : undefined}>
        {saved && can('view_source') && <Link to={{ pathname: `/queries/${saved.id}`, search, hash }}>Show Results Only</Link>}
      </QueryHeader>
      {draft && (
        <DraftNotice
          draft={draft}
          onRestore={() => {
            setText(draft.text);
            setDraft(null);
          }}
          onDiscard={() => {
            dropDraft(initial?.id ?? null);
            setDraft(null);
          }}
        />
      )}
      {saved?.is_from_devices && base === '/queries' && <DevicePanel edited={edited} queryId={saved.id} />}
      <div className={styles.body}>
        <div className={styles.columns}>
          {!isSideHidden && (
            <SourcePane
              edited={edited}
              source={source}
              schema={schema}
              sourceSelect={sourceSelect}
              onInsert={(text) => editor.current?.insert(text)}
            />
          )}
        </div>
        <div className={styles.work}>
          <div className={styles.editor} style={{ height: editorSize }}>
            <Suspense fallback={<EditorBones />}>
              <SqlEditor
                ref={editor}
                initialText={edited.text}
                syntax={syntax}
                type={source?.type ?? ''}
                tables={schema.tables}
                snippets={snippetList(snippets.data)}
                isLive={wantsLive && isLiveOffered}
                isReadOnly={!canEdit}
                isWrapped={isWrapped}
                parameterNames={edited.definitions.map(({ name }) => name)}
                fault={run.fault}
                onChange={edited.setText}
                onSelect={setSelected}
              />
            </Suspense>
          </div>
          <PaneDivider
            label="Height of the editor"
            orientation="horizontal"
            size={editorSize}
            min={80}
            max={Math.round(innerHeight * 0.7)}
            onSize={setEditorSize}
            onReset={resetEditor}
          />
          <ControlRow
            canEdit={canEdit}
            sideToggle={
              <Tooltip title={`${isSideHidden ? 'Show' : 'Hide'} the schema (Alt + D)`}>
                <Button
                  type="text"
                  icon={isSideHidden ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
                  aria-label={`${isSideHidden ? 'Show' : 'Hide'} the schema`}
                  aria-expanded={!isSideHidden}
                  onClick={toggleSide}
                />
              </Tooltip>
            }
            onAddParameter={addParameter}
            onFormat={() => void reformat()}
            isFormatting={format.isPending}
            canFormat={canFormat}
            isLive={isLiveOffered ? wantsLive : null}
            onLive={(isLive) => {
              setWantsLive(isLive);
              writeLocal(localKeys.liveAutocomplete, isLive);
              recordEvent('toggle_autocomplete', 'screen', 'query_editor', { state: isLive });
            }}
            isWrapped={isWrapped}
            onWrap={(wraps) => {
              setWrapped(wraps);
              writeLocal(localKeys.wrapsLines, wraps);
            }}
            autoLimit={edited.autoLimit}
            onAutoLimit={edited.setAutoLimit}
            canLimit={source?.supports_auto_limit === true}
            sourceSelect={sourceSelect}
            isDirty={edited.isDirty}
            isSaving={edited.isSaving}
            onSave={() => void save()}
            isSelection={isSelection}
            isRunning={run.isRunning}
            executeRefusal={refusalOf(canExecute, isPending, source)}
            onExecute={() => executePart(false)}
          />
          <ParameterBar
            parameters={edited.parameters}
            queryId={edited.id}
            state={state}
            onApply={executeApplied}
            onEdit={canEdit ? (parameter) => setDialog({ parameter: { ...parameter, value: state.applied[parameter.name] } }) : undefined}
            onOrder={canEdit ? (ordered) => edited.changeParameters(ordered, state.applied) : undefined}
          />
          <RunNotice run={run} onPlace={goTo} />
          <QueryResults
            run={run}
            query={saved}
            onRun={canExecute && saved ? () => executePart(false) : undefined}
            hint={saved ? undefined : 'Press Execute to see the result here.'}
          />
          {saved && <MetaStrip query={saved} isForNarrow />}
          <ResultBar edited={edited} run={run} values={state.applied} />
        </div>
      </div>
      <Suspense>
        {dialog && (
          <ParameterDialog
            parameter={dialog.parameter}
            queryId={edited.id}
            takenNames={edited.parameters.map(({ name }) => name)}
            onSave={keepParameter}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </div>
  );
}

function recoverable(initial: Query | null, canEdit: boolean, baseline: string): LocalDraft | null {
  const draft = canEdit ? readDraft(initial?.id ?? null) : null;
  return draft && draft.text !== baseline && draft.text.trim() !== '' ? draft : null;
}

function refusalOf(canExecute: boolean, isPending: boolean, source: DataSource | undefined): string | null {
  if (!source) return 'Choose a data source first.';
  if (!canExecute) return 'You do not have a permission to execute/refresh this query.';
  return isPending ? 'Apply the changed parameters first.' : null;
}

const snippetList = (data: unknown) => (Array.isArray(data) ? data : noSnippets);
