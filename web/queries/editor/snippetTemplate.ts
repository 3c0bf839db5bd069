/** `$1` is what people know from other editors; this one wants `${1}`. */
export const snippetTemplate = (text: string): string => text.replace(/(?<![\\$])\$(\d+)/g, '$${$1}');
