import { z } from 'zod';
import { organizationName } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { html } from '../platform/html.ts';
import { defineJob } from '../platform/jobs/define.ts';

const MailBody = z.object({ text: z.string(), html: z.string() });
export type Mail = z.output<typeof MailBody> & { to: string; subject: string };

/** Mails are sent from the queue with retries, so none is lost while the mail server is away for a minute. */
export const sendMail = defineJob({
  name: 'mail.send',
  queue: 'emails',
  retries: 8,
  onLost: 'retry',
  timeLimitMs: 60_000,
  payload: z.object({ to: z.string(), subject: z.string(), sealed: z.string() }),
  run: (ctx, { to, subject, sealed }) => {
    const { text, html } = MailBody.parse(JSON.parse(ctx.secrets.open(Buffer.from(sealed, 'base64'))));
    return ctx.mail.send({ to, subject, text, html });
  },
});

/** Queues a mail. Its body is sealed, because links that set a password must not be readable in the table of jobs. */
export function queueMail(ctx: Ctx, { to, subject, ...body }: Mail): Promise<string> {
  return ctx.enqueue(sendMail, { to, subject, sealed: ctx.secrets.seal(JSON.stringify(body)).toString('base64') });
}

interface MailContent {
  subject: string;
  lines: string[];
  link?: { label: string; url: string };
  after?: string;
}

async function send(ctx: Ctx, to: string, { subject, lines, link, after }: MailContent): Promise<void> {
  const text = [...lines, link ? `${link.label}: ${link.url}` : '', after ?? ''].filter(Boolean).join('\n\n');
  const body = html`<div style="font: 14px/20px Inter, Arial, sans-serif; color: #12212F; max-width: 560px">
    ${lines.map((line) => html`<p>${line}</p>`)}
    ${link ? html`<p><a href="${link.url}" style="display: inline-block; padding: 8px 16px; background: #0B7285; color: #fff; border-radius: 6px; text-decoration: none">${link.label}</a></p><p style="color: #5b6b7a">${link.url}</p>` : ''}
    ${after ? html`<p style="color: #5b6b7a">${after}</p>` : ''}</div>`;
  await queueMail(ctx, { to, subject, text, html: body.text });
}

type Addressee = { name: string; email: string };

export async function sendInvitation(ctx: Ctx, user: Addressee, url: string, inviter: string): Promise<void> {
  const organization = await organizationName(ctx);
  await send(ctx, user.email, {
    subject: `${inviter} invited you to join Telltale`,
    lines: [`Hi ${user.name},`, `${inviter} invited you to join ${organization} on Telltale. You will sign in as ${user.email}.`],
    link: { label: 'Choose a password', url },
    after: 'The link works once and for seven days.',
  });
}

export const sendReset = (ctx: Ctx, user: Addressee, url: string) =>
  send(ctx, user.email, {
    subject: 'Reset your password',
    lines: [`Hi ${user.name},`, 'Somebody, hopefully you, asked for a new password for your Telltale account.'],
    link: { label: 'Choose a new password', url },
    after: 'The link works once and for one day. If it was not you, ignore this mail: your password stays as it is.',
  });

export const sendVerification = (ctx: Ctx, user: Addressee, url: string) =>
  send(ctx, user.email, {
    subject: 'Verify your email address',
    lines: [`Hi ${user.name},`, 'Please confirm that this address belongs to your Telltale account.'],
    link: { label: 'Verify email address', url },
    after: 'The link works once and for seven days.',
  });

/** The mail goes to the old address, so that its owner learns of a change by somebody else. */
export const sendEmailChanged = (ctx: Ctx, user: Addressee, newEmail: string) =>
  send(ctx, user.email, {
    subject: 'Your email address was changed',
    lines: [
      `Hi ${user.name},`,
      `The email address of your Telltale account is now ${newEmail}. If you did not change it, please ask an administrator at once.`,
    ],
  });

export const sendAccountDisabled = (ctx: Ctx, user: Addressee) =>
  send(ctx, user.email, {
    subject: 'Your account is disabled',
    lines: [
      `Hi ${user.name},`,
      'Somebody asked for a new password for your Telltale account, but the account is disabled. Please ask an administrator.',
    ],
  });

/** Sends a notice of another module to a user. */
export const sendNotice = (ctx: Ctx, user: Addressee, letter: MailContent) =>
  send(ctx, user.email, { ...letter, lines: [`Hi ${user.name},`, ...letter.lines] });
