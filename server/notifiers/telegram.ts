import { optionalText, requiredSecret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { textOf, titleOf, urlOf } from './words.ts';

const address = 'https://api.telegram.org';
const longest = 4096;

export const telegram = defineNotifier({
  type: 'telegram',
  name: 'Telegram',
  icon: 'fa-telegram',
  options: z.strictObject({
    bot_token: requiredSecret('Bot Token'),
    chat_id: text('Chat ID'),
    url: optionalText('Address of the API', { example: address, extra: true }),
  }),
  addressOf: ({ url }) => url ?? address,
  send: ({ bot_token, chat_id, url = address }, notice, env) => {
    const link = urlOf(notice);
    const words = `${titleOf(notice)}\n${textOf(notice)}`.slice(0, longest - link.length - 1);
    // Without a parse mode Telegram shows the text literally.
    return postJson(env, `${url.replace(/\/+$/, '')}/bot${bot_token}/sendMessage`, {
      chat_id,
      text: `${words}\n${link}`,
      disable_web_page_preview: true,
    });
  },
});
