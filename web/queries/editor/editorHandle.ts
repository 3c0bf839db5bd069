/** What the page may do with the text, whichever editor draws it. */
export interface EditorHandle {
  read: () => { text: string; selection: string; cursor: number; lineOffset: number; columnOffset: number } | null;
  /** At the cursor, in the place of what is selected. */
  insert: (text: string) => void;
  replaceAll: (text: string) => void;
  /** Both from 1; the focus goes there, too. */
  goTo: (line: number, column: number) => void;
  focus: () => void;
}
