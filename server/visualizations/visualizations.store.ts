import type { Visualization } from '@telltale/domain/visualizations/contract.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

const fields = sql`id, query_id, type, name, description, options, created_at, updated_at`;
type Fields = Pick<Visualization, 'type' | 'name' | 'description' | 'options'>;

export async function findVisualization(db: Db, id: number): Promise<Visualization | undefined> {
  const { rows } = await sql<Visualization>`select ${fields} from visualizations where id = ${id}`.execute(db);
  return rows[0];
}

/** Locks the row: other changes wait until this transaction has ended. */
export async function lockVisualization(db: Db, id: number): Promise<Visualization | undefined> {
  const { rows } = await sql<Visualization>`select ${fields} from visualizations where id = ${id} for update`.execute(db);
  return rows[0];
}

export async function insertVisualization(db: Db, queryId: number, { type, name, description, options }: Fields): Promise<Visualization> {
  const { rows } = await sql<Visualization>`
    insert into visualizations (query_id, type, name, description, options)
    values (${queryId}, ${type}, ${name}, ${description}, ${JSON.stringify(options)}::jsonb) returning ${fields}`.execute(db);
  return rows[0] as Visualization;
}

export async function updateVisualization(db: Db, id: number, { type, name, description, options }: Fields): Promise<Visualization> {
  const { rows } = await sql<Visualization>`
    update visualizations set type = ${type}, name = ${name}, description = ${description}, options = ${JSON.stringify(options)}::jsonb, updated_at = now()
    where id = ${id} returning ${fields}`.execute(db);
  return rows[0] as Visualization;
}

/** Locks the rows: none of them is deleted until this transaction has ended. */
export async function lockVisualizationIds(db: Db, queryId: number): Promise<number[]> {
  const { rows } = await sql<Columns<'visualizations', 'id'>>`
    select id from visualizations where query_id = ${queryId} order by id for update`.execute(db);
  return rows.map(({ id }) => id);
}

export const updatePositions = (db: Db, ids: readonly number[]) =>
  sql`update visualizations set position = ordered.position
      from unnest(${ids}::int[]) with ordinality as ordered (id, position) where visualizations.id = ordered.id`.execute(db);

export const deleteVisualization = (db: Db, id: number) => sql`delete from visualizations where id = ${id}`.execute(db);
