import { optionalText, requiredSecret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { OutgoingError } from '../platform/outgoing.ts';
import { defineNotifier, NotifierError } from './notifier.ts';
import { basicAuth, postForm } from './post.ts';
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
    const numbers = new Set(to.split(',').map((each) => each.trim()));
    const faults: { number: string; fault: NotifierError | OutgoingError }[] = [];
    // A number that cannot be reached does not stop the messages to the others.
    for (const number of numbers) {
      if (number === '' || env.reached.has(number)) continue;
      try {
        await postForm(env, place, { From: from, To: number, Body: body }, headers);
        await env.reach(number);
      } catch (error) {
        if (!(error instanceof NotifierError || error instanceof OutgoingError)) throw error;
        faults.push({ number, fault: error });
      }
    }
    const [first] = faults;
    if (!first) return;
    // All numbers failed, so the cause is not one of the numbers.
    if (faults.length === numbers.size) throw first.fault;
    const isFinal = faults.every(({ fault }) => (fault instanceof NotifierError ? fault.isFinal : fault.fault === 'refused'));
    throw new NotifierError(`Not sent to ${faults.map(({ number }) => number).join(', ')}: ${first.fault.message}`, isFinal, first.fault);
  },
});
