/** The page's access to the text, whichever editor draws it. */
export interface EditorHandle {
  read: () => { text: string; selection: string; cursor: number; lineOffset: number; columnOffset: number } | null;
  /** Inserts at the cursor, replacing the selection. */
  insert: (text: string) => void;
  replaceAll: (text: string) => void;
  /** Both count from 1; the editor also gets the focus. */
  goTo: (line: number, column: number) => void;
  focus: () => void;
}
