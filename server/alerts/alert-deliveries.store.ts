import type { Delivery } from '@telltale/domain/destinations/contract.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { listPage } from '../platform/lists.ts';

/** design 8.1: maps the state of a command delivery to a notice status. Replaced, cancelled and expired deliveries count as given up. */
const status = sql`case when delivery.state in ('sent', 'acknowledged', 'succeeded') then 'sent' when delivery.state = 'failed' then 'failed'
  when delivery.state in ('expired', 'replaced', 'cancelled') then 'gave_up' else 'waiting' end`;

/** Lists the notices and commands that an alert caused, in one list, newest first. */
export async function listDeliveriesOfAlert(db: Db, id: number, params: ListParams): Promise<Page<Delivery>> {
  const page = await listPage(db, params, {
    fields: sql<Omit<Delivery, 'device_id'> & { device_id: string | null }>`*`,
    from: sql`(
      select id, 'destination' as kind, target_id, name, status, attempts, last_error, created_at, sent_at, subject,
        case when status = 'waiting' then next_attempt_at end as next_attempt_at, device_id
      from notice_deliveries where alert_id = ${id}
      union all
      select delivery.id, 'command', coalesce(execution.command_id, 0), execution.command_name, ${status}, delivery.attempt,
        coalesce(delivery.reason, case when delivery.state in ('expired', 'replaced', 'cancelled') then delivery.state end),
        delivery.created_at, delivery.sent_at, execution.command_name,
        case when ${status} = 'waiting' then delivery.next_at end, device.device_id
      from command_executions execution join command_deliveries delivery on delivery.execution_id = execution.id
      join telemetry.device on device.id = delivery.device_pk
      where execution.alert_id = ${id}) caused`,
    where: sql`true`,
    order: sql`created_at desc, kind, id desc`,
  });
  return { ...page, results: page.results.map(({ device_id, ...delivery }) => (device_id ? { ...delivery, device_id } : delivery)) };
}
