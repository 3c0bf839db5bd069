/** What the page may do with the text, whichever editor draws it. */
export interface EditorHandle {
  read: () => { text: string; selection: string; cursor: number; lineOffset: number; columnOffset: number } | null;
  /** At the cursor, in the place of what is selected. */
  insert: (text: string) => void;
  replaceAll: (text: string) => void;
  select: (from: number, to: number) => void;
  focus: () => void;
}
