import { optionalText, requiredSecret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineNotifier } from './notifier.ts';
import { postForm } from './post.ts';
import { plainTextOf } from './words.ts';

/** server-behaviour 15.2: line breaks are written as `\n`, the form has one line. */
const usualMessage = '{alert_name} changed state to {new_state}.\\n{alert_url}\\n{query_url}';
const address = 'https://api.chatwork.com';

export const chatwork = defineNotifier({
  type: 'chatwork',
  name: 'ChatWork',
  icon: 'fa-comment',
  options: z.strictObject({
    api_token: requiredSecret('API Token'),
    room_id: text('Room ID'),
    message_template: optionalText('Message Template', { default: usualMessage }),
    url: optionalText('Address of the API', { example: address, extra: true }),
  }),
  addressOf: ({ url }) => url ?? address,
  send: ({ api_token, room_id, message_template = usualMessage, url = address }, notice, env) => {
    const place = `${url.replace(/\/+$/, '')}/v2/rooms/${encodeURIComponent(room_id)}/messages`;
    const headers = { 'x-chatworktoken': api_token };
    if (notice.event !== 'alert_state_change') return postForm(env, place, { body: plainTextOf(notice) }, headers);
    const { alert, alert_url, query, subject, body } = notice;
    const words: Record<string, string> = {
      alert_name: alert.name,
      new_state: alert.state.toUpperCase(),
      alert_url,
      query_url: query?.url ?? '',
    };
    const message = message_template
      .replaceAll('\\n', '\n')
      .replace(/\{(\w+)\}/g, (found, name: string) => (Object.hasOwn(words, name) ? (words[name] ?? '') : found));
    return postForm(env, place, { body: `${subject ? `${subject}\n` : ''}${body ?? message}` }, headers);
  },
});
