import { requiredSecret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { html } from '../platform/html.ts';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { moodOf, titleOf, urlOf } from './words.ts';

const colors = { triggered: 'red', ok: 'green', unknown: 'yellow' };

export const hipchat = defineNotifier({
  type: 'hipchat',
  name: 'HipChat',
  icon: 'fa-comment-o',
  isDeprecated: true,
  options: z.strictObject({ url: requiredSecret('HipChat Notification URL') }),
  addressOf: ({ url }) => url,
  send: ({ url }, notice, env) => {
    const query = notice.event === 'alert_state_change' ? notice.query : null;
    const message = html`<a href="${urlOf(notice)}">${titleOf(notice)}</a>${query ? html` (<a href="${query.url}">query</a>)` : ''}`;
    return postJson(env, url, { message: message.text, message_format: 'html', color: colors[moodOf(notice)] });
  },
});
