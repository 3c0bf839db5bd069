import type { AlertState } from '@telltale/domain/alerts/options.ts';
import type { AlertNotice, Notice } from './notice.ts';

/** Good, bad or neither, which a kind shows as a colour. */
export type Mood = AlertState;

const badStates: readonly string[] = ['failed', 'expired', 'suspended'];

export function moodOf(notice: Notice): Mood {
  if (notice.event === 'alert_state_change') return notice.alert.state;
  if (notice.event === 'test') return 'ok';
  return badStates.includes(notice.state) ? 'triggered' : 'ok';
}

/** The name of the alert, with the device where there is one. */
const subjectOf = ({ alert, device }: AlertNotice): string => (device ? `${alert.name} (${device.device_name})` : alert.name);

/** server-behaviour 15.3. */
export function happenedTo(notice: AlertNotice): string {
  const name = subjectOf(notice);
  if (notice.alert.state === 'triggered') return `${name} just triggered`;
  return notice.alert.state === 'ok' ? `${name} went back to normal` : `${name} could not be evaluated`;
}

/** The title of a notice, in one line. */
export function titleOf(notice: Notice): string {
  if (notice.event === 'alert_state_change') return notice.subject ?? happenedTo(notice);
  if (notice.event === 'test') return 'Test notification from Telltale';
  return `Command ${notice.command.name}: ${notice.state}`;
}

/** The text below the title, a sentence or two. */
export function textOf(notice: Notice): string {
  if (notice.event === 'alert_state_change') return notice.body ?? sentenceOf(notice);
  if (notice.event === 'test') return notice.message;
  const { command, device_id, state, reason } = notice;
  return `The command ${command.name} to ${device_id} is ${state}${reason ? ` (${reason})` : ''}.`;
}

export function sentenceOf({ value, condition, threshold, device }: AlertNotice): string {
  const where = device ? `${device.device_name}: ` : '';
  return threshold === null ? `${where}${value}` : `${where}the value is ${value}, the condition is ${condition} ${threshold}.`;
}

export const urlOf = (notice: Notice): string => (notice.event === 'alert_state_change' ? notice.alert_url : notice.url);

/** The addresses of a notice, one in a line: the query's where there is one, and the notice's own. */
export function linksOf(notice: Notice): string {
  if (notice.event !== 'alert_state_change') return notice.url;
  return [...(notice.query ? [`Query: ${notice.query.url}`] : []), `Alert: ${notice.alert_url}`].join('\n');
}

/** Title, text and address, for kinds that only take text. */
export const plainTextOf = (notice: Notice): string => [titleOf(notice), textOf(notice), urlOf(notice)].filter(Boolean).join('\n');
