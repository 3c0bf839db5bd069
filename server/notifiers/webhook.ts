import { createHmac } from 'node:crypto';
import { optionalText, requiredSecret, secret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import type { Notice } from './notice.ts';
import { defineNotifier } from './notifier.ts';
import { basicAuth, post } from './post.ts';

/** server-behaviour 15.3 and design 8.1: the payload for programs. */
function payloadOf(notice: Notice): unknown {
  if (notice.event === 'command_delivery') {
    const { event, command, device_id, state, reason, at } = notice;
    return { event, command, device_id, state, reason, at };
  }
  if (notice.event === 'test') return { event: notice.event, message: notice.message };
  const { event, alert, subject, body, host, metadata, device, value } = notice;
  return {
    event,
    alert: { ...alert, title: subject, description: body },
    url_base: host,
    metadata,
    value,
    ...(device ? { device } : {}),
  };
}

export const webhook = defineNotifier({
  type: 'webhook',
  name: 'Webhook',
  icon: 'fa-bolt',
  options: z.strictObject({
    url: requiredSecret('Webhook URL'),
    username: optionalText('Username'),
    password: secret('Password'),
    secret: secret('Signing Secret', { info: 'Each message carries X-Telltale-Signature: sha256=…, the HMAC of its body.' }),
  }),
  addressOf: ({ url }) => url,
  send: ({ url, username, password = '', secret: key }, notice, env) => {
    const body = JSON.stringify(payloadOf(notice));
    return post(env, url, {
      body,
      headers: {
        'content-type': 'application/json',
        ...(username ? { authorization: basicAuth(username, password) } : {}),
        ...(key ? { 'x-telltale-signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}` } : {}),
      },
    });
  },
});
