import type { User } from '@telltale/domain/users/contract.ts';
import type { Ctx } from '../platform/context.ts';
import { html } from '../platform/html.ts';
import { absoluteLink } from '../session/account-links.ts';
import { queueMail } from '../users/account-mails.ts';
import { findUsersById } from '../users/users.ts';
import { type FailureRow, takeFailures } from './runs.store.ts';

/** A number of failures close to that at which reports stop. */
const warnAfter = 75;

/** server-behaviour 13.4: one mail an hour to each owner, however often their queries failed. */
export const mailFailures = (ctx: Ctx): Promise<void> =>
  ctx.transaction(async (tx) => {
    const failures = Map.groupBy(await takeFailures(tx.db), ({ user_id }) => user_id);
    const owners = await findUsersById(tx, [...failures.keys()]);
    for (const [id, own] of failures) {
      const owner = owners.get(id);
      if (owner && !owner.is_disabled) await queueMail(tx, failureMail(tx, owner, own));
    }
  });

const moreTimes = (count: number) => (count === 0 ? '' : `, and ${count} more ${count === 1 ? 'time' : 'times'}`);

function failureMail(ctx: Ctx, owner: User, failures: FailureRow[]) {
  const queries = new Set(failures.map(({ query_id }) => query_id)).size;
  const subject = queries === 1 ? '1 of your scheduled queries failed' : `${queries} of your scheduled queries failed`;
  const entries = failures.map((failure) => ({
    ...failure,
    url: absoluteLink(ctx, `/queries/${failure.query_id}`),
    when: `Last failed: ${failure.failed_at.slice(0, 16).replace('T', ' ')} UTC${moreTimes(failure.count - 1)}`,
    warning: failure.schedule_failures > warnAfter ? 'It has failed so often that these reports will stop soon.' : '',
  }));
  const greeting = `Hi ${owner.name},`;
  const text = entries.map(({ query_name, url, when, message, warning }) =>
    [query_name, url, when, message, warning].filter(Boolean).join('\n'),
  );
  const body = html`<div style="font: 14px/20px Inter, Arial, sans-serif; color: #12212F; max-width: 640px">
    <p>${greeting}</p>
    ${entries.map(
      ({ query_name, url, when, message, warning }) => html`<p><a href="${url}" style="color: #0B7285">${query_name}</a><br>
      <span style="color: #5b6b7a">${when}</span></p>
      <pre style="white-space: pre-wrap; background: #F3F6F8; padding: 8px">${message}</pre>
      ${warning ? html`<p>${warning}</p>` : ''}`,
    )}</div>`;
  return { to: owner.email, subject, text: [greeting, ...text].join('\n\n'), html: body.text };
}
