import type { AlertCommand } from '@telltale/domain/commands/contract.ts';
import { getAlertRow, getAlertToChange } from '../alerts/alert-access.ts';
import type { AlertFired } from '../alerts/alert-signals.ts';
import { isReached } from '../channels/channels.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { type CommandRow, findCommand, findCommandWithTargets } from './commands.store.ts';
import { type Fired, type Firing, failing, fire } from './executions.ts';
import { deleteAlertCommand, insertAlertCommand, listAlertCommandRows } from './links.store.ts';

export async function listAlertCommands(ctx: UserCtx, alertId: number): Promise<AlertCommand[]> {
  await getAlertRow(ctx, alertId);
  return listAlertCommandRows(ctx.db, alertId);
}

export const linkCommand = (
  ctx: UserCtx,
  alert_id: number,
  { command_id, on }: { command_id: number; on: AlertCommand['on'] },
): Promise<AlertCommand> =>
  ctx.transaction(async (tx) => {
    await getAlertToChange(tx, alert_id);
    const command = await findCommand(tx.db, command_id);
    if (!command || !isReached(tx, command.channel_pk)) throw invalid('This command does not exist.');
    await insertAlertCommand(tx.db, { alert_id, command_id, on, user_id: ctx.user.id });
    await recordEvent(tx, 'link_command', 'alert', alert_id, { command_id, on });
    const made = (await listAlertCommandRows(tx.db, alert_id)).find((link) => link.command_id === command_id);
    if (!made) throw notFound('Link');
    return made;
  });

export const unlinkCommand = (ctx: UserCtx, alertId: number, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    await getAlertToChange(tx, alertId);
    if (!(await deleteAlertCommand(tx.db, alertId, id))) throw notFound('Link');
    await recordEvent(tx, 'unlink_command', 'alert', alertId);
    return null;
  });

/** Fires linked commands by the rules of notices: a muted alert sends none, and each evaluation sends once. */
export async function fireLinked(tx: Ctx, { alert_id, evaluation_id, state, is_muted, started }: AlertFired): Promise<void> {
  if (is_muted || (state !== 'triggered' && state !== 'ok')) return;
  for (const { command_id, command_name, on } of await listAlertCommandRows(tx.db, alert_id)) {
    if (on !== 'both' && on !== state) continue;
    const found = await findCommandWithTargets(tx.db, command_id);
    if (!found || found.devices.length === 0) continue;
    try {
      const dedupe_key = `alert ${alert_id} ${evaluation_id} ${command_id}`;
      const fired = await fireVisibly(tx, found.command, { source: 'alert', devices: found.devices, alert_id, dedupe_key });
      if (fired?.deliveries.some(({ state }) => state !== 'failed')) started.push(`command ${command_name}`);
    } catch (error) {
      // A command that cannot be sent does not roll back the evaluation of the alert.
      if (!(error instanceof AppError)) throw error;
      tx.log.warn({ command: command_id, alert: alert_id, reason: error.message }, 'a linked command could not be sent');
    }
  }
}

/** iot-behaviour 3.8. Nobody waits for the answer: what cannot be sent to any device fails where it is seen, at the command and at the alert. */
async function fireVisibly(tx: Ctx, command: CommandRow, firing: Firing): Promise<Fired | undefined> {
  try {
    return await fire(tx, command, firing);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fire(tx, command, { ...firing, encoded: failing(command, firing.devices, error.message) });
  }
}
