import { optionalText, requiredSecret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { escapeHtml } from '../platform/html.ts';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { textOf, titleOf, urlOf } from './words.ts';

const states = {
  triggered: '<b><font color="#c0392b">Triggered</font></b>',
  ok: '<font color="#27ae60">Went back to normal</font>',
  unknown: 'Unable to determine status. Check Query and Alert configuration.',
};
const paragraph = (text: string) => ({ textParagraph: { text } });
const button = (text: string, url: string) => ({ buttons: [{ textButton: { text, onClick: { openLink: { url } } } }] });

export const hangoutsChat = defineNotifier({
  type: 'hangouts_chat',
  name: 'Google Hangouts Chat',
  icon: 'fa-bolt',
  options: z.strictObject({ url: requiredSecret('Webhook URL'), icon_url: optionalText('Icon URL (32x32 or multiple, png format)') }),
  addressOf: ({ url }) => url,
  send: ({ url, icon_url }, notice, env) => {
    const isAlert = notice.event === 'alert_state_change';
    const header = {
      title: isAlert ? (notice.subject ?? notice.alert.name) : titleOf(notice),
      ...(icon_url ? { imageUrl: icon_url } : {}),
    };
    // Cards interpret some markup, so text from users is escaped.
    const widgets = isAlert
      ? [
          paragraph(states[notice.alert.state]),
          notice.query ? button('OPEN QUERY', notice.query.url) : button('OPEN ALERT', notice.alert_url),
        ]
      : [paragraph(escapeHtml(textOf(notice))), button('OPEN', urlOf(notice))];
    const sections = [{ widgets }, ...(isAlert && notice.body ? [{ widgets: [paragraph(escapeHtml(notice.body))] }] : [])];
    return postJson(env, url, { cards: [{ header, sections }] });
  },
});
