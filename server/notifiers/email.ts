import { optionalText, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { type Html, html } from '../platform/html.ts';
import type { AlertNotice, Notice } from './notice.ts';
import { defineNotifier, type NotifierEnv, NotifierError } from './notifier.ts';
import { sentenceOf, textOf, titleOf, urlOf } from './words.ts';

const usualSubject = 'Alert: {alert_name} changed status to {state}';
const isAddress = (each: string) => /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/.test(each);
const addressesIn = (list: string) =>
  list
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

const colors = { triggered: '#c0392b', ok: '#27ae60', unknown: '#b7791f' };

function subjectFrom(template: string, notice: Notice): string {
  if (notice.event !== 'alert_state_change') return titleOf(notice);
  const words: Record<string, string> = { alert_name: notice.alert.name, state: notice.alert.state.toUpperCase() };
  return notice.subject ?? template.replace(/\{(\w+)\}/g, (found, name: string) => words[name] ?? found);
}

/** server-behaviour 15.3: status, condition, links and the first rows of the result. */
function page(notice: AlertNotice): Html {
  const { alert, alert_url, query, table } = notice;
  const cell = 'style="border: 1px solid #d5dde5; padding: 4px 8px; text-align: left"';
  const row = (cells: string[], tag: 'td' | 'th') =>
    html`<tr>${cells.map((each) => (tag === 'th' ? html`<th ${raw(cell)}>${each}</th>` : html`<td ${raw(cell)}>${each}</td>`))}</tr>`;
  return html`<div style="font: 14px/20px Inter, Arial, sans-serif; color: #12212F; max-width: 720px">
    <p><strong>${alert.name}</strong> <span style="padding: 2px 8px; border-radius: 4px; color: #fff; background: ${colors[alert.state]}">${alert.state.toUpperCase()}</span></p>
    <p>${sentenceOf(notice)}</p>
    <p><a href="${alert_url}">Alert</a>${query ? html` · <a href="${query.url}">${query.name}</a>` : ''}</p>
    ${table ? html`<table style="border-collapse: collapse">${row(table.columns, 'th')}${table.rows.map((cells) => row(cells, 'td'))}</table>` : ''}
    ${table?.isCut ? html`<p style="color: #5b6b7a">Only the first ${table.rows.length} rows are shown.</p>` : ''}</div>`;
}

/** Marks text as HTML; only for constants in this file. */
const raw = (text: string) => html([text] as unknown as TemplateStringsArray);

function bodyOf(notice: Notice): { text: string; html: string } {
  const text = [textOf(notice), urlOf(notice)].join('\n\n');
  if (notice.event === 'alert_state_change') return { text, html: notice.html ?? page(notice).text };
  return { text, html: html`<p>${textOf(notice)}</p><p><a href="${urlOf(notice)}">${urlOf(notice)}</a></p>`.text };
}

const responseCode = (error: unknown) =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined;

async function sendMail(addresses: string, subject_template: string, notice: Notice, { mail, key }: NotifierEnv): Promise<void> {
  if (!mail.isConfigured) throw new NotifierError('No mail server is set up (SMTP_URL).', true);
  const letter = { to: addressesIn(addresses).join(', '), subject: subjectFrom(subject_template, notice).replace(/\s+/g, ' ') };
  try {
    await mail.send({ ...letter, ...bodyOf(notice), messageId: `<${key}@telltale>` });
  } catch (error) {
    const code = responseCode(error);
    const reason = code === undefined ? 'The mail server could not be reached.' : `The mail server answered with ${code}.`;
    throw new NotifierError(reason, code !== undefined && code >= 500, error);
  }
}

export const email = defineNotifier({
  type: 'email',
  name: 'Email',
  icon: 'fa-envelope',
  options: z.strictObject({
    addresses: text('Addresses', { info: 'Separated by commas.' }),
    subject_template: optionalText('Subject Template', { default: usualSubject, extra: true }),
  }),
  faultOf: ({ addresses }) => {
    const listed = addressesIn(addresses);
    const wrong = listed.find((each) => !isAddress(each));
    if (wrong !== undefined) return `${wrong} is not an e-mail address.`;
    return listed.length === 0 || listed.length > 100 ? 'Between 1 and 100 addresses are allowed.' : undefined;
  },
  send: ({ addresses, subject_template = usualSubject }, notice, env) => sendMail(addresses, subject_template, notice, env),
});
