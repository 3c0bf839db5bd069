import { optionalText, requiredSecret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { happenedTo, plainTextOf } from './words.ts';

export const mattermost = defineNotifier({
  type: 'mattermost',
  name: 'Mattermost',
  icon: 'fa-bolt',
  options: z.strictObject({
    url: requiredSecret('Mattermost Webhook URL'),
    username: optionalText('Username'),
    icon_url: optionalText('Icon (URL)'),
    channel: optionalText('Channel'),
  }),
  addressOf: ({ url }) => url,
  send: ({ url, username, icon_url, channel }, notice, env) => {
    const isAlert = notice.event === 'alert_state_change';
    const text = isAlert ? (notice.subject ?? `#### ${happenedTo(notice)}`) : plainTextOf(notice);
    return postJson(env, url, {
      text,
      ...(isAlert && notice.body ? { attachments: [{ fields: [{ title: 'Description', value: notice.body }] }] } : {}),
      ...(username ? { username } : {}),
      ...(icon_url ? { icon_url } : {}),
      ...(channel ? { channel } : {}),
    });
  },
});
