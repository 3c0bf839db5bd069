import { requiredSecret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { moodOf, textOf, titleOf, urlOf } from './words.ts';

const colors = { ok: '2600544', triggered: '12597547', unknown: '16776960' };
/** Discord refuses longer texts. */
const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export const discord = defineNotifier({
  type: 'discord',
  name: 'Discord',
  icon: 'fa-discord',
  options: z.strictObject({ url: requiredSecret('Discord Webhook URL') }),
  addressOf: ({ url }) => url,
  send: ({ url }, notice, env) => {
    const isAlert = notice.event === 'alert_state_change';
    const description = isAlert ? notice.body : textOf(notice);
    const fields = [
      ...(isAlert && notice.query ? [{ name: 'Query', value: notice.query.url, inline: true }] : []),
      { name: isAlert ? 'Alert' : 'Link', value: urlOf(notice), inline: true },
      ...(description ? [{ name: 'Description', value: cut(description, 1024) }] : []),
    ];
    return postJson(env, url, {
      content: cut(titleOf(notice), 2000),
      embeds: [{ color: colors[moodOf(notice)], fields }],
      // No mentions: a value in the text must not notify users.
      allowed_mentions: { parse: [] },
    });
  },
});
