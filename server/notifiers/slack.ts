import { requiredSecret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { happenedTo, moodOf, textOf, titleOf, urlOf } from './words.ts';

const colors = { triggered: '#c0392b', ok: '#27ae60', unknown: '#f1c40f' };
const field = (title: string, value: string) => ({ title, type: 'mrkdwn', value });

export const slack = defineNotifier({
  type: 'slack',
  name: 'Slack',
  icon: 'fa-slack',
  options: z.strictObject({ url: requiredSecret('Slack Webhook URL') }),
  addressOf: ({ url }) => url,
  send: ({ url }, notice, env) => {
    const color = colors[moodOf(notice)];
    if (notice.event !== 'alert_state_change') {
      const fields = [field('Description', textOf(notice)), field('Link', urlOf(notice))];
      return postJson(env, url, { attachments: [{ text: titleOf(notice), color, fields }] });
    }
    // server-behaviour 15.3: a custom subject is only used for triggered alerts.
    const text = notice.alert.state === 'triggered' ? titleOf(notice) : happenedTo(notice);
    const fields = [
      ...(notice.query ? [field('Query', notice.query.url)] : []),
      field('Alert', notice.alert_url),
      ...(notice.body ? [{ title: 'Description', value: notice.body }] : []),
    ];
    return postJson(env, url, { attachments: [{ text, color, fields }] });
  },
});
