import { checkCommand } from '@telltale/domain/commands/check.ts';
import { readEvent, readTimes } from '@telltale/domain/commands/schedule-check.ts';
import type { MovedCommand } from '@telltale/domain/move/contract.ts';
import { hasDevices } from '../channels/devices.ts';
import { linkCommand } from '../commands/alert-commands.ts';
import { createCommand } from '../commands/commands.ts';
import { createSchedule } from '../commands/schedules.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { deviceName, type ReportBuilder } from './report-builder.ts';

/** Makes the commands of a file, after its channels and alerts. A schedule or a link that cannot be made is noted, and its command stays. */
export class CommandImporter {
  readonly #ctx: UserCtx;
  readonly #report: ReportBuilder;

  constructor(ctx: UserCtx, report: ReportBuilder) {
    this.#ctx = ctx;
    this.#report = report;
  }

  async run(commands: readonly MovedCommand[]): Promise<void> {
    for (const command of commands) await this.#command(command);
  }

  async #command({ id, schedules, alerts, ...given }: MovedCommand): Promise<void> {
    const { name, channel_id } = given;
    const preview = async () => {
      await this.#check(given);
      return id;
    };
    // The devices have not reported here yet.
    const make = async () => (await createCommand(this.#ctx, given, { mayLackReadings: true })).id;
    // Several channels may have a command of the same name.
    const made = await this.#report.make('command', name, preview, make, `${channel_id}/${name}`);
    if (!made?.isNew) return;
    for (const schedule of schedules) await this.#schedule(name, made.id, schedule);
    for (const alert of alerts) await this.#link(name, made.id, alert);
  }

  /** For a preview: the channel and its devices are here, or in the file. */
  async #check(given: Omit<MovedCommand, 'id' | 'schedules' | 'alerts'>): Promise<void> {
    const checked = checkCommand(given);
    if ('fault' in checked) throw invalid(checked.fault);
    const { channel_id, device_ids } = checked.draft;
    if (this.#report.find('channel', channel_id) === undefined) throw invalid(`There is no channel "${channel_id}".`);
    const others = device_ids.filter((device_id) => this.#report.find('device', deviceName(channel_id, device_id)) === undefined);
    if (await hasDevices(this.#ctx, channel_id, others)) return;
    for (const device_id of others)
      if (!(await hasDevices(this.#ctx, channel_id, [device_id]))) throw invalid(`The channel has no device "${device_id}".`);
  }

  async #schedule(name: string, commandId: number, schedule: MovedCommand['schedules'][number]): Promise<void> {
    await this.#report.takePart(
      'command',
      name,
      async () => {
        const { type, schedule: times, timezone } = schedule;
        const read = type === 'e' ? readEvent(schedule) : readTimes(type ?? '', times, timezone, this.#ctx.now.getTime());
        if ('fault' in read) throw invalid(read.fault);
        if (!this.#report.preview) await createSchedule(this.#ctx, commandId, schedule);
      },
      (reason) => `The schedule "${schedule.name ?? ''}" was not taken over. ${reason}`,
    );
  }

  /** Alerts have other ids elsewhere, so a command finds them by their names. */
  async #link(name: string, command_id: number, alert: MovedCommand['alerts'][number]): Promise<void> {
    await this.#report.takePart(
      'command',
      name,
      async () => {
        const found = this.#report.find('alert', alert.name);
        if (found === undefined) throw invalid('There is no such alert here.');
        if (!this.#report.preview) await linkCommand(this.#ctx, found, { command_id, on: alert.on });
      },
      (reason) => `The alert "${alert.name}" does not send it. ${reason}`,
    );
  }
}
