/** Converts `$1`, as in other editors, to this editor's `${1}`. */
export const snippetTemplate = (text: string): string => text.replace(/(?<![\\$])\$(\d+)/g, '$${$1}');
