import { quoteText } from '@telltale/domain/sql/quote.ts';
import { commentOf } from './comment.ts';
import { isServerFault, type MysqlSession } from './session.ts';

/** KILL of a session that has ended. */
export const unknownSession = 1094;

/** Ends every session of this account whose statement begins with the note. */
export async function stopNoted(session: MysqlSession, note: string): Promise<void> {
  const beginning = quoteText(commentOf(note), 'mysql');
  const found = await session.rows(
    `select id from information_schema.processlist where left(info, char_length(${beginning})) = ${beginning} and id <> connection_id()`,
  );
  for (const [id] of found) {
    await session.query(`kill connection ${Number(id)}`).catch((error: unknown) => {
      if (!isServerFault(error) || error.errno !== unknownSession) throw error;
    });
  }
}
