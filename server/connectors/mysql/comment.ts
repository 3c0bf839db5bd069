import { withoutCommentMarks } from '../annotation.ts';

/** How the comment begins that names a run before its statement; it is not closed, because more may follow. */
export const commentOf = (note: string): string => `/* ${withoutCommentMarks(note)}`;
