/** security 4: what is left of an annotation can neither end the comment it stands in nor begin another one. */
export const withoutCommentMarks = (note: string): string => note.replace(/[^\w .,:@+-]/g, '');
