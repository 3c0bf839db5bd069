import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completeAnyWord,
  completionKeymap,
  insertCompletionText,
  pickedCompletion,
  snippet,
  snippetCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { keywordCompletionSource, MySQL, PostgreSQL, type SQLDialect, SQLite, StandardSQL } from '@codemirror/lang-sql';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';
import { type Dialect, rulesOf } from '@telltale/domain/sql/dialect.ts';
import { placeholderPattern } from '@telltale/domain/sql/placeholder-tag.ts';
import { nameWriter } from '../schema/nameWriter.ts';
import { editorTheme } from './editorTheme.ts';
import { nameOptions } from './schemaCompletion.ts';
import { snippetTemplate } from './snippetTemplate.ts';

export interface EditorSnippet {
  trigger: string;
  description: string;
  snippet: string;
}

/** These keys belong to the page, which handles them wherever the focus is (screens 1.5); the editor ignores them. */
const pageKeys = ['Mod-Enter', 'Ctrl-Enter', 'Alt-Enter', 'Shift-Enter', 'Mod-Shift-Enter', 'Mod-s', 'Mod-Shift-f'];
const leftToThePage = Prec.highest(keymap.of(pageKeys.map((key) => ({ key, run: () => true }))));

/** Escape leaves the editor, because Tab indents; open panels in it close first. */
export const leaveBy = (leave: () => void): Extension =>
  keymap.of([
    {
      key: 'Escape',
      run: () => {
        leave();
        return true;
      },
    },
  ]);

const parameter = Decoration.mark({ class: 'cm-parameter' });
const matcher = new MatchDecorator({ regexp: new RegExp(placeholderPattern, 'g'), decoration: parameter });
const placeholders = ViewPlugin.define(
  (view) => ({
    marks: matcher.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = matcher.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

export const basics: Extension = [
  leftToThePage,
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  EditorState.tabSize.of(4),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  lintGutter(),
  placeholders,
  editorTheme,
  EditorView.contentAttributes.of({ 'aria-label': 'Query text. Press Escape to leave the editor.' }),
  keymap.of([
    { key: 'Tab', run: acceptCompletion },
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
];

const editorDialects = { PostgreSQL, MySQL, SQLite, StandardSQL };
const editorDialect = (dialect: Dialect): SQLDialect => editorDialects[rulesOf(dialect).editor];

/** Screens 5.4: the colours follow the syntax of the source; what is not known is plain text. */
export function languageOf(syntax: string, dialect: Dialect): Extension {
  if (syntax === 'sql') return editorDialect(dialect).language;
  if (syntax === 'json') return json();
  return syntax === 'yaml' ? yaml() : [];
}

interface CompletionOptions {
  syntax: string;
  type: string;
  dialect: Dialect;
  tables: readonly SchemaTable[];
  snippets: readonly EditorSnippet[];
  isLive: boolean;
  /** The names of the current parameters. */
  names: () => readonly string[];
}

const outsideBraces =
  (source: CompletionSource): CompletionSource =>
  (context) =>
    context.matchBefore(/\{\{[^{}]*$/) ? null : source(context);

/** A quote that was typed before the name, and the one that the editor added behind it, are replaced by those the name needs. */
function insertName(view: EditorView, picked: Completion, text: string, from: number, to: number): void {
  const { state } = view;
  const quote = state.sliceDoc(from - 1, from);
  const isQuoted = quote === '"' || quote === '`';
  const isClosed = isQuoted && state.sliceDoc(to, to + 1) === quote;
  const spec = insertCompletionText(state, text, isQuoted ? from - 1 : from, isClosed ? to + 1 : to);
  view.dispatch(spec, { annotations: pickedCompletion.of(picked) });
}

export function completionOf({ syntax, type, dialect, tables, snippets, isLive, names: parameterNames }: CompletionOptions): Extension {
  const parameters: CompletionSource = (context) => {
    const open = context.matchBefore(/\{\{\s*[\w.-]*$/);
    if (!open) return null;
    const from = open.from + (/^\{\{\s*/.exec(open.text)?.[0].length ?? 2);
    const isClosed = /^\s*\}\}/.test(context.state.sliceDoc(context.pos, context.pos + 4));
    const options = parameterNames().map(
      (name): Completion => ({ label: name, apply: isClosed ? name : `${name} }}`, detail: 'Parameter' }),
    );
    return { from, options, validFor: /^[\w.-]*$/ };
  };
  const written = nameWriter({ syntax, type, dialect });
  const names: CompletionSource = ({ state, pos, explicit }) => {
    const line = state.doc.lineAt(pos);
    const text = state.doc.length < 100_000 ? state.doc.toString() : line.text;
    const found = nameOptions(tables, line.text.slice(0, pos - line.from), text, dialect);
    if (!found || (found.length === 0 && !explicit && !line.text.slice(0, pos - line.from).endsWith('.'))) return null;
    const options = found.options.map(
      ({ label, detail, kind }): Completion => ({
        label,
        detail,
        apply: (view, picked, from, to) => insertName(view, picked, written[kind](label), from, to),
        type: kind === 'table' ? 'class' : 'property',
        boost: kind === 'table' ? 20 : 10,
      }),
    );
    return { from: pos - found.length, options, validFor: /^[\w$]*$/ };
  };
  const own: CompletionSource = (context) => {
    const word = context.matchBefore(/[\w-]+$/);
    if (!word) return null;
    return {
      from: word.from,
      options: snippets.map(({ trigger, description, snippet: text }) =>
        snippetCompletion(snippetTemplate(text), { label: trigger, detail: description || 'Snippet', type: 'text', boost: 30 }),
      ),
    };
  };
  const expand = (view: EditorView): boolean => {
    const { state } = view;
    const { head, empty } = state.selection.main;
    const line = state.doc.lineAt(head);
    const word = /[\w-]+$/.exec(line.text.slice(0, head - line.from))?.[0];
    const found = empty && word ? snippets.find(({ trigger }) => trigger === word) : undefined;
    if (!found || !word || state.readOnly) return false;
    snippet(snippetTemplate(found.snippet))(view, null, head - word.length, head);
    return true;
  };
  const keywords = syntax === 'sql' ? [keywordCompletionSource(editorDialect(dialect), true)] : [];
  const completion = autocompletion({
    activateOnTyping: isLive,
    // Inside braces only parameters are offered.
    override: [parameters, own, names, ...keywords, completeAnyWord].map((source, at) => (at === 0 ? source : outsideBraces(source))),
    maxRenderedOptions: 60,
    icons: false,
  });
  // Screens 1.5: Tab expands a trigger, whether a list is open or not.
  return [completion, Prec.high(keymap.of([{ key: 'Tab', run: expand }]))];
}
