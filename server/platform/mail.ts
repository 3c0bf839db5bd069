import type { Transporter } from 'nodemailer';

interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The id of the letter: a second attempt carries the same one, so that mailboxes recognise it. */
  messageId?: string;
}

export interface MailOutbox {
  /** Without SMTP_URL no mail goes out, and links are shown to the administrator instead (A8). */
  isConfigured: boolean;
  send(letter: Letter): Promise<void>;
}

/** A silent server is given up early enough for a retry: a job that exceeds its time limit is not retried. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 5000, socketTimeout: 20_000 };

export function createMail(smtpUrl: string | undefined, from: string | undefined): MailOutbox {
  let transport: Transporter | undefined;
  return {
    isConfigured: smtpUrl !== undefined,
    async send(letter) {
      if (!smtpUrl) throw new Error('Mail is not configured: set SMTP_URL.');
      const { createTransport } = await import('nodemailer');
      transport ??= createTransport({ url: smtpUrl, ...timeouts }, { from: from ?? senderOf(smtpUrl) });
      await transport.sendMail(letter);
    },
  };
}

/** The sender without MAIL_FROM: the mailbox we sign in with, or a name at the mail server's host. */
function senderOf(smtpUrl: string): string {
  const { username, hostname } = new URL(smtpUrl);
  const user = decodeURIComponent(username);
  return user.includes('@') ? user : `telltale@${hostname}`;
}
