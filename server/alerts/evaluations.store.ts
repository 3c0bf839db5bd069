import type { Evaluation, EvaluationOutcome } from '@telltale/domain/alerts/contract.ts';
import type { AlertState, Threshold } from '@telltale/domain/alerts/options.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { listPage } from '../platform/lists.ts';

interface NewEvaluation {
  alert_id: number;
  device_pk: number | null;
  value: unknown;
  threshold: Threshold | null;
  state: AlertState;
  previous_state: AlertState;
}

export interface KeptEvaluation extends NewEvaluation {
  /** From `nextEvaluation`: notices and commands refer to the evaluation by this id. */
  id?: number;
  outcome: EvaluationOutcome;
  reason: string;
}

export const insertEvaluation = (db: Db, evaluation: KeptEvaluation) => {
  const { id, alert_id, device_pk, value, threshold, state, previous_state, outcome, reason } = evaluation;
  return sql`
    insert into alert_evaluations (id, alert_id, device_pk, value, threshold, state, previous_state, notified, outcome, reason)
    overriding system value
    values (${id ?? sql`nextval(pg_get_serial_sequence('alert_evaluations', 'id'))`}, ${alert_id}, ${device_pk}, ${storableJson(value ?? null)}::jsonb,
      ${storableJson(threshold)}::jsonb, ${state}, ${previous_state}, ${outcome === 'notified'}, ${outcome}, ${reason})`.execute(db);
};

export interface NextEvaluation {
  id: number;
  subscriptions: { user_id: number; destination_id: number | null; name: string }[];
}

/** Reserves the id of the next evaluation and lists the alert's subscriptions; `name` is the name of the destination. */
export async function nextEvaluation(db: Db, alertId: number): Promise<NextEvaluation> {
  const { rows } = await sql<NextEvaluation>`
    select nextval(pg_get_serial_sequence('alert_evaluations', 'id')) as id, coalesce((
      select jsonb_agg(jsonb_build_object('user_id', alert_subscriptions.user_id, 'destination_id', destination_id, 'name', coalesce(destinations.name, ''))
        order by alert_subscriptions.id)
      from alert_subscriptions left join destinations on destinations.id = destination_id where alert_id = ${alertId}), '[]') as subscriptions`.execute(
    db,
  );
  if (!rows[0]) throw new Error('There is no next evaluation.');
  return rows[0];
}

const fields = sql`alert_evaluations.id, evaluated_at, device_id, value, threshold, state, previous_state, notified, outcome, reason`;
const from = sql`alert_evaluations left join telemetry.device on device.id = device_pk`;

type Row = Omit<Evaluation, 'device_id'> & { device_id: string | null };
const answer = ({ device_id, ...evaluation }: Row): Evaluation => (device_id === null ? evaluation : { ...evaluation, device_id });

export async function listEvaluationRows(db: Db, alertId: number, params: ListParams): Promise<Page<Evaluation>> {
  const page = await listPage(db, params, {
    fields: sql<Row>`${fields}`,
    from,
    where: sql`alert_id = ${alertId}`,
    order: sql`alert_evaluations.id desc`,
  });
  return { ...page, results: page.results.map(answer) };
}

export async function findLastEvaluation(db: Db, alertId: number): Promise<Evaluation | null> {
  const { rows } = await sql<Row>`
    select ${fields} from ${from} where alert_id = ${alertId} order by alert_evaluations.id desc limit 1`.execute(db);
  return rows[0] ? answer(rows[0]) : null;
}

/** Keeps all evaluations for a month, and those that changed a state or notified someone for a year. */
export async function deleteOldEvaluations(db: Db): Promise<void> {
  await sql`
    delete from alert_evaluations where evaluated_at < now() - interval '31 days' and state = previous_state and not notified`.execute(db);
  await sql`delete from alert_evaluations where evaluated_at < now() - interval '400 days'`.execute(db);
}
