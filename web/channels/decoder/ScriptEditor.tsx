import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { editorTheme } from '../../queries/editor/editorTheme.ts';
import styles from './Decoder.module.css';

export interface ScriptFault {
  line: number;
  message: string;
}

interface ScriptEditorProps {
  /** A text that differs from the typed one replaces it. */
  text: string;
  isReadOnly: boolean;
  fault: ScriptFault | null;
  onChange: (text: string) => void;
}

const basics: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  EditorState.tabSize.of(2),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  lintGutter(),
  javascript(),
  editorTheme,
  EditorView.contentAttributes.of({ 'aria-label': 'Decoder script. Press Escape to leave the editor.' }),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
];

/** The JavaScript of a decoder. */
export default function ScriptEditor({ text, isReadOnly, fault, onChange }: ScriptEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const behind = useRef<HTMLSpanElement>(null);
  const view = useRef<EditorView>(null);
  const readOnly = useRef(new Compartment());
  const first = useRef({ text, isReadOnly });
  const tell = useRef(onChange);
  tell.current = onChange;

  useEffect(() => {
    if (!place.current) return;
    const created = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current.text,
        extensions: [
          basics,
          // After Escape the next Tab goes on behind the editor, because Tab itself indents.
          keymap.of([{ key: 'Escape', run: () => leave(behind.current) }]),
          readOnly.current.of(EditorState.readOnly.of(first.current.isReadOnly)),
          EditorView.updateListener.of((update) => update.docChanged && tell.current(update.state.doc.toString())),
        ],
      }),
    });
    view.current = created;
    return () => created.destroy();
  }, []);

  useEffect(() => {
    const current = view.current;
    if (!current || current.state.doc.toString() === text) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    view.current?.dispatch({ effects: readOnly.current.reconfigure(EditorState.readOnly.of(isReadOnly)) });
  }, [isReadOnly]);
  useEffect(() => {
    const current = view.current;
    if (current) current.dispatch(setDiagnostics(current.state, diagnosticsOf(current.state, fault)));
  }, [fault]);
  return (
    <>
      <div ref={place} className={styles.code} />
      <span ref={behind} tabIndex={-1} />
    </>
  );
}

function leave(behind: HTMLElement | null): boolean {
  behind?.focus();
  return true;
}

function diagnosticsOf({ doc }: EditorState, fault: ScriptFault | null): Diagnostic[] {
  if (!fault || fault.line < 1 || fault.line > doc.lines) return [];
  const { from, to } = doc.line(fault.line);
  return [{ from, to, severity: 'error', message: fault.message }];
}
