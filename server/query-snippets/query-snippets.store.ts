import type { NewSnippet, QuerySnippet } from '@telltale/domain/query-snippets/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export type SnippetRow = Omit<QuerySnippet, 'user'> & { user_id: number };

const fields = sql`id, trigger, description, snippet, user_id, created_at, updated_at`;

export async function listSnippetRows(db: Db): Promise<SnippetRow[]> {
  const { rows } = await sql<SnippetRow>`select ${fields} from query_snippets order by lower(trigger), id`.execute(db);
  return rows;
}

export async function findSnippet(db: Db, id: number): Promise<SnippetRow | undefined> {
  const { rows } = await sql<SnippetRow>`select ${fields} from query_snippets where id = ${id}`.execute(db);
  return rows[0];
}

/** Returns undefined when the trigger is taken. */
export async function insertSnippet(
  db: Db,
  { trigger, description, snippet, ...by }: NewSnippet & { org_id: number; user_id: number },
): Promise<SnippetRow | undefined> {
  const { rows } = await sql<SnippetRow>`
    insert into query_snippets (org_id, user_id, trigger, description, snippet)
    values (${by.org_id}, ${by.user_id}, ${trigger}, ${description}, ${snippet})
    on conflict (org_id, trigger) do nothing returning ${fields}`.execute(db);
  return rows[0];
}

export const updateSnippet = (db: Db, id: number, { trigger, description, snippet }: NewSnippet) =>
  sql`update query_snippets set trigger = ${trigger}, description = ${description}, snippet = ${snippet}, updated_at = now() where id = ${id}`.execute(
    db,
  );

export const deleteSnippet = (db: Db, id: number) => sql`delete from query_snippets where id = ${id}`.execute(db);
