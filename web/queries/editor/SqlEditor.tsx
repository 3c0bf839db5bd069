import { closeCompletion } from '@codemirror/autocomplete';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { RunFault } from '../run/useQueryRun.ts';
import type { EditorHandle } from './editorHandle.ts';
import { basics, completionOf, type EditorSnippet, languageOf, leaveBy } from './editorSetup.ts';
import styles from './SqlEditor.module.css';

interface SqlEditorProps {
  ref?: Ref<EditorHandle>;
  initialText: string;
  syntax: string;
  type: string;
  dialect: Dialect;
  tables: readonly SchemaTable[];
  snippets: readonly EditorSnippet[];
  isLive: boolean;
  isReadOnly: boolean;
  isWrapped: boolean;
  /** Names that are offered after `{{`. */
  parameterNames: readonly string[];
  fault: RunFault | null;
  onChange: (text: string) => void;
  /** Reports the length of the selection, which would be run alone. */
  onSelect: (length: number) => void;
}

const isFocusFree = () => !(document.activeElement instanceof HTMLElement) || document.activeElement.tabIndex < 0;
const wrapping = (isWrapped: boolean) => (isWrapped ? EditorView.lineWrapping : []);

/** Q9: a change is reported after 100 ms. */
const changeDelayMs = 100;

/** The text lives in this editor; callers that need it at once read it from the handle. */
export default function SqlEditor({ ref, initialText, ...props }: SqlEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const behind = useRef<HTMLSpanElement>(null);
  const view = useRef<EditorView>(null);
  const parts = useRef({
    language: new Compartment(),
    completion: new Compartment(),
    readOnly: new Compartment(),
    wrap: new Compartment(),
  });
  const latest = useRef(props);
  latest.current = props;
  const first = useRef(initialText);

  useEffect(() => {
    if (!place.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { language, completion, readOnly, wrap } = parts.current;
    const names = () => latest.current.parameterNames;
    const created = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          basics,
          // After Escape the next Tab goes on behind the editor.
          leaveBy(() => behind.current?.focus()),
          language.of(languageOf(latest.current.syntax, latest.current.dialect)),
          completion.of(completionOf({ ...latest.current, names })),
          readOnly.of(EditorState.readOnly.of(latest.current.isReadOnly)),
          wrap.of(wrapping(latest.current.isWrapped)),
          EditorView.updateListener.of((update) => {
            if (update.selectionSet || update.docChanged) {
              const { from, to } = update.state.selection.main;
              latest.current.onSelect(to - from);
            }
            if (!update.docChanged) return;
            clearTimeout(timer);
            timer = setTimeout(() => latest.current.onChange(update.state.doc.toString()), changeDelayMs);
          }),
        ],
      }),
    });
    view.current = created;
    // On a touch screen the focus would open the keyboard; and a focus elsewhere is not taken away.
    if (matchMedia('(hover: hover)').matches && isFocusFree()) created.focus();
    return () => {
      clearTimeout(timer);
      first.current = created.state.doc.toString();
      created.destroy();
      view.current = null;
    };
  }, []);

  const { syntax, type, dialect, tables, snippets, isLive, isReadOnly, isWrapped, fault } = props;
  useEffect(() => {
    view.current?.dispatch({
      effects: [
        parts.current.language.reconfigure(languageOf(syntax, dialect)),
        parts.current.completion.reconfigure(
          completionOf({ syntax, type, dialect, tables, snippets, isLive, names: () => latest.current.parameterNames }),
        ),
        parts.current.readOnly.reconfigure(EditorState.readOnly.of(isReadOnly)),
      ],
    });
  }, [syntax, type, dialect, tables, snippets, isLive, isReadOnly]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.wrap.reconfigure(wrapping(isWrapped)) });
  }, [isWrapped]);

  useEffect(() => {
    const current = view.current;
    if (current) current.dispatch(setDiagnostics(current.state, diagnosticsOf(current.state, fault)));
  }, [fault]);

  useImperativeHandle(ref, () => handleOf(() => view.current), []);
  return (
    <>
      <div ref={place} className={styles.editor} />
      <span ref={behind} tabIndex={-1} />
    </>
  );
}

function handleOf(find: () => EditorView | null): EditorHandle {
  return {
    read() {
      const view = find();
      if (!view) return null;
      // Reading the text ends the completion.
      closeCompletion(view);
      const { state } = view;
      const { from, to, head } = state.selection.main;
      return {
        text: state.doc.toString(),
        selection: state.sliceDoc(from, to),
        cursor: head,
        lineOffset: state.doc.lineAt(from).number - 1,
        columnOffset: from - state.doc.lineAt(from).from,
      };
    },
    insert(text) {
      const view = find();
      if (!view) return;
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
      view.focus();
    },
    replaceAll(text) {
      const view = find();
      if (!view || view.state.doc.toString() === text) return;
      const head = Math.min(view.state.selection.main.head, text.length);
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: head } });
    },
    goTo(line, column) {
      const view = find();
      if (!view) return;
      const { doc } = view.state;
      const at = doc.line(Math.min(Math.max(1, line), doc.lines));
      view.dispatch({ selection: { anchor: Math.min(at.to, at.from + Math.max(0, column - 1)) }, scrollIntoView: true });
      view.focus();
    },
    focus: () => find()?.focus(),
  };
}

/** Complaint 5: marks the line of the fault, as far as the source reports it. */
function diagnosticsOf({ doc }: EditorState, fault: RunFault | null): Diagnostic[] {
  if (!fault?.line || fault.line > doc.lines) return [];
  const line = doc.line(fault.line);
  const from = Math.min(line.to, line.from + Math.max(0, (fault.column ?? 1) - 1));
  const word = /^\w+/.exec(doc.sliceString(from, line.to))?.[0].length ?? 1;
  return [{ from, to: Math.min(line.to, from + Math.max(1, word)), severity: 'error', message: fault.message }];
}
