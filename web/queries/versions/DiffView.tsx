import { javascript } from '@codemirror/lang-javascript';
import { sql } from '@codemirror/lang-sql';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { editorTheme } from '../editor/editorTheme.ts';
import styles from './DiffView.module.css';

const languages = { sql: sql(), javascript: javascript() };

/** Characters; beyond them texts are told apart less exactly, but at once. */
const scanLimit = 500;

const tint = (token: 'ok' | 'danger', percent: number) => `color-mix(in srgb, var(--${token}) ${percent}%, transparent)`;

const marked = (token: 'ok' | 'danger') => ({ background: tint(token, 8), boxShadow: `inset 0 -2px var(--${token})` });

const basics: Extension = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  editorTheme,
  EditorView.theme({
    '&': { height: 'auto' },
    '.cm-scroller': { maxHeight: '46vh', overflow: 'auto' },
    '.cm-line, .cm-deletedLine': { paddingLeft: '24px', position: 'relative' },
    '.cm-deletedChunk': { paddingLeft: '0' },
    // Signs, because not everybody sees the colours.
    '.cm-changedLine::before, .cm-deletedLine::before': { position: 'absolute', left: '8px', color: 'var(--muted)' },
    '.cm-changedLine::before': { content: "'+'" },
    '.cm-deletedLine::before': { content: "'−'" },
    '& .cm-deletedChunk': { backgroundColor: tint('danger', 10) },
    '&.cm-merge-b .cm-changedLine': { backgroundColor: tint('ok', 10) },
    // Underlined rather than deeply tinted: comments and figures stay readable on it in both themes.
    '&.cm-merge-b .cm-deletedText, &.cm-merge-b .cm-deletedChunk .cm-deletedText': marked('danger'),
    '&.cm-merge-b .cm-changedText': marked('ok'),
    '& .cm-collapsedLines': { color: 'var(--muted)', background: 'var(--hover)', fontFamily: 'var(--font)' },
  }),
];

interface DiffViewProps {
  before: string;
  after: string;
  language: keyof typeof languages;
  /** The compared texts, for screen readers. */
  label: string;
}

/** Shows only the differences, with a few lines around them. */
export function DiffView({ before, after, language, label }: DiffViewProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current || before === after) return;
    const view = new EditorView({
      parent: place.current,
      doc: after,
      extensions: [
        basics,
        languages[language],
        unifiedMergeView({
          original: before,
          mergeControls: false,
          gutter: false,
          collapseUnchanged: { margin: 3, minSize: 4 },
          diffConfig: { scanLimit, timeout: 500 },
        }),
        // A long difference is scrolled by keyboard, too.
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
      ],
    });
    return () => view.destroy();
  }, [before, after, language, label]);
  if (before === after) return <p className={styles.same}>The texts are the same.</p>;
  return <div ref={place} className={styles.diff} />;
}
