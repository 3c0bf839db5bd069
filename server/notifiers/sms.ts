import { optionalText, requiredSecret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineNotifier } from './notifier.ts';
import { basicAuth, postForm } from './post.ts';
import { listedIn, sendToEach } from './send-to-each.ts';
import { textOf, titleOf, urlOf } from './words.ts';

const address = 'https://api.twilio.com';
/** Ten parts of a message; longer ones are refused. */
const longest = 1600;

/** Twilio's call, which other providers take as well. */
export const sms = defineNotifier({
  type: 'sms',
  name: 'SMS',
  icon: 'fa-mobile',
  options: z.strictObject({
    account_sid: text('Account SID'),
    auth_token: requiredSecret('Auth Token'),
    from: text('From', { example: '+15005550006' }),
    to: text('To', { example: '+15005550006, +15005550007', info: 'Numbers separated by commas.' }),
    url: optionalText('Address of the provider', { example: address, extra: true }),
  }),
  addressOf: ({ url }) => url ?? address,
  send: async ({ account_sid, auth_token, from, to, url = address }, notice, env) => {
    const place = `${url.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}/Messages.json`;
    const link = urlOf(notice);
    const words = `${titleOf(notice)}\n${textOf(notice)}`;
    const body = `${words.slice(0, longest - link.length - 1)}\n${link}`;
    const headers = { authorization: basicAuth(account_sid, auth_token) };
    await sendToEach(env, listedIn(to), (number) => postForm(env, place, { From: from, To: number, Body: body }, headers));
  },
});
