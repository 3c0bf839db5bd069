import MenuFoldOutlined from '@ant-design/icons/MenuFoldOutlined';
import MenuUnfoldOutlined from '@ant-design/icons/MenuUnfoldOutlined';
import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { Query } from '@telltale/domain/queries/contract.ts';
import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { recordEvent } from '../api/events.ts';
import { useRead } from '../api/query.ts';
import { useCan } from '../api/session.ts';
import { useLeaveGuard } from '../ui/leaveGuard.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import { ControlRow } from './ControlRow.tsx';
import { DraftNotice } from './DraftNotice.tsx';
import { DevicePanel } from './devices/DevicePanel.tsx';
import { dropDraft, type LocalDraft, readDraft } from './drafts.ts';
import { EditorBones } from './editor/EditorBones.tsx';
import type { EditorHandle } from './editor/editorHandle.ts';
import { localKeys } from './localOptions.ts';
import { MetaStrip } from './MetaStrip.tsx';
import { PaneDivider } from './PaneDivider.tsx';
import { ParameterBar } from './parameters/ParameterBar.tsx';
import { useParameterDialog } from './parameters/useParameterDialog.tsx';
import { useParameterValues } from './parameters/useParameterValues.ts';
import { QueryHeader } from './QueryHeader.tsx';
import styles from './QuerySource.module.css';
import { QueryResults } from './results/QueryResults.tsx';
import { ResultBar } from './results/ResultBar.tsx';
import { RunNotice } from './run/RunNotice.tsx';
import { pendingRefusal, runRefusal } from './run/runRefusal.ts';
import { SourcePane } from './SourcePane.tsx';
import { SourceSelect } from './SourceSelect.tsx';
import { countColumns, mostLiveColumns } from './schema/filterSchema.ts';
import { useSchema } from './schema/useSchema.ts';
import { useShortcuts } from './shortcuts.ts';
import { useEditedQuery } from './useEditedQuery.ts';
import { useEditorActions } from './useEditorActions.ts';
import { usePaneSize } from './usePaneSize.ts';
import { useQueryExecution } from './useQueryExecution.ts';
import { useRemembered } from './useRemembered.ts';

const SqlEditor = lazy(() => import('./editor/SqlEditor.tsx'));

interface QuerySourceProps {
  initial: Query | null;
  sources: readonly DataSource[];
  firstSource: DataSource | undefined;
  hasTemplate: boolean;
  /** The base address of its pages: /queries or /sql. */
  base: '/queries' | '/sql';
  onCreated: (id: number) => void;
}

const noSnippets: never[] = [];

/** Screens 5: the editor of a query, its source and its result. */
export function QuerySource({ initial, sources, firstSource, hasTemplate, base, onCreated }: QuerySourceProps) {
  const editor = useRef<EditorHandle>(null);
  const executeButton = useRef<HTMLButtonElement>(null);
  const edited = useEditedQuery({ initial, firstSource, hasTemplate, showText: (text) => editor.current?.replaceAll(text) });
  const { saved, canEdit, sourceId } = edited;
  const source = sources.find(({ id }) => id === sourceId);
  const schema = useSchema(source ? source.id : null, source?.has_databases ? edited.database : null, source?.type === 'telltale');
  const state = useParameterValues(edited.parameters, saved !== null);
  const execution = useQueryExecution(edited, source, state.applied);
  const { run, canExecute } = execution;
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const can = useCan();
  const [selected, setSelected] = useState(0);
  const [draft, setDraft] = useState<LocalDraft | null>(() => recoverable(initial, canEdit, edited.baseline));
  const [wantsLive, setWantsLive] = useRemembered(localKeys.liveAutocomplete, true);
  const [isWrapped, setWrapped] = useRemembered(localKeys.wrapsLines, false);
  const [isSideHidden, setSideHidden] = useRemembered(localKeys.isSideHidden, false);
  const [editorSize, setEditorSize, resetEditor] = usePaneSize(localKeys.editorPane, 260);
  const snippets = useRead(querySnippetsApi.list, {}, { staleTime: 60_000, retry: false });
  const letGo = useLeaveGuard(edited.isDirty);
  const parameters = useParameterDialog(edited, state, (text) => editor.current?.insert(text));
  const actions = useEditorActions({
    editor,
    edited,
    source,
    state,
    execution,
    onCreated: ({ id }) => {
      setDraft(null);
      onCreated(id);
      letGo();
      navigate({ pathname: `${base}/${id}/source`, search, hash }, { replace: true });
    },
  });
  const { syntax, isPending } = actions;
  const refusal = runRefusal({ sourceId, source, canEdit, canExecute });
  const isLiveOffered = countColumns(schema.tables) <= mostLiveColumns;
  const toggleSide = () => setSideHidden(!isSideHidden);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first save leads to another address, whose title is a common one
  useEffect(() => {
    document.title = edited.name;
  }, [edited.name, pathname]);
  useEffect(() => recordEvent('view_source', 'query', initial?.id ?? null), [initial?.id]);
  useShortcuts({
    execute: () => actions.executePart(false),
    'execute-statement': () => actions.executePart(true),
    save: () => void actions.save(),
    format: () => void actions.reformat(),
    'toggle-side': toggleSide,
    ...(canEdit && { 'add-parameter': parameters.add }),
  });

  const chooseSource = (next: DataSource) => {
    const text = edited.chooseSource(next);
    if (text !== null) editor.current?.replaceAll(text);
  };
  const sourceSelect = <SourceSelect sources={sources} value={sourceId} onChange={chooseSource} isDisabled={!canEdit} />;

  return (
    <div className={styles.page}>
      <QueryHeader edited={edited} isViewOnly={source?.view_only !== false} onLeave={letGo} onText={canEdit ? actions.setText : undefined}>
        {saved && can('view_source') && <Link to={{ pathname: `/queries/${saved.id}`, search, hash }}>Show Results Only</Link>}
      </QueryHeader>
      {draft && (
        <DraftNotice
          draft={draft}
          onRestore={() => {
            actions.setText(draft.text);
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
                dialect={source?.dialect ?? 'generic'}
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
            onAddParameter={parameters.add}
            onFormat={() => void actions.reformat()}
            isFormatting={actions.isFormatting}
            canFormat={actions.canFormat}
            isLive={isLiveOffered ? wantsLive : null}
            onLive={(isLive) => {
              setWantsLive(isLive);
              recordEvent('toggle_autocomplete', 'screen', 'query_editor', { state: isLive });
            }}
            isWrapped={isWrapped}
            onWrap={setWrapped}
            autoLimit={edited.autoLimit}
            onAutoLimit={edited.setAutoLimit}
            canLimit={source?.supports_auto_limit === true}
            sourceSelect={sourceSelect}
            isDirty={edited.isDirty}
            isSaving={edited.isSaving}
            onSave={() => void actions.save()}
            isSelection={selected > 1}
            isRunning={run.isRunning}
            executeRef={executeButton}
            executeRefusal={refusal ?? (isPending ? pendingRefusal : null)}
            onExecute={() => actions.executePart(false)}
          />
          <ParameterBar
            parameters={edited.parameters}
            queryId={edited.id}
            state={state}
            isAutomatic={saved?.options.auto_apply === true}
            onAutomatic={saved && canEdit ? edited.setAutoApply : undefined}
            onApply={actions.executeWith}
            onEdit={canEdit ? parameters.edit : undefined}
            onOrder={canEdit ? (ordered) => edited.changeParameters(ordered, state.applied) : undefined}
          />
          <RunNotice run={run} starter={executeButton} onPlace={(line, column) => editor.current?.goTo(line, column)} />
          <QueryResults
            run={run}
            query={saved}
            canEdit={edited.canEdit}
            setSaved={edited.setSaved}
            onRun={() => actions.executePart(false)}
            refusal={refusal}
            hint={saved ? undefined : 'Press Execute to see the result here.'}
          />
          {saved && <MetaStrip query={saved} isForNarrow />}
          <ResultBar edited={edited} run={run} values={state.applied} onSave={actions.save} />
        </div>
      </div>
      {parameters.dialog}
    </div>
  );
}

function recoverable(initial: Query | null, canEdit: boolean, baseline: string): LocalDraft | null {
  const draft = canEdit ? readDraft(initial?.id ?? null) : null;
  return draft && draft.text !== baseline && draft.text.trim() !== '' ? draft : null;
}

const snippetList = (data: unknown) => (Array.isArray(data) ? data : noSnippets);
