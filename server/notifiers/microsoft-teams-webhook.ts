import { optionalText, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineNotifier, NotifierError } from './notifier.ts';
import { post } from './post.ts';
import { textOf, titleOf, urlOf } from './words.ts';

const usualMessage = JSON.stringify({
  '@type': 'MessageCard',
  '@context': 'https://schema.org/extensions',
  themeColor: '0B7285',
  summary: '{alert_name}',
  sections: [
    {
      activityTitle: '{title}',
      facts: [
        { name: 'Alert', value: '{alert_url}' },
        { name: 'Query', value: '{query_url}' },
      ],
      text: '{text}',
      markdown: true,
    },
  ],
});

/** W15: escapes a value for use inside a JSON string of the template, so that quotes in it cannot end the string. */
const insideJson = (value: string) => JSON.stringify(value).slice(1, -1);

function filled(template: string, words: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (found, name: string) => (Object.hasOwn(words, name) ? insideJson(words[name] ?? '') : found));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const microsoftTeamsWebhook = defineNotifier({
  type: 'microsoft_teams_webhook',
  name: 'Microsoft Teams Webhook',
  icon: 'fa-bolt',
  options: z.strictObject({
    url: text('Microsoft Teams Webhook URL'),
    message_template: optionalText('Message Template', { default: usualMessage, multiline: true }),
  }),
  addressOf: ({ url }) => url,
  faultOf: ({ message_template }) =>
    message_template === undefined || isJson(filled(message_template, {})) ? undefined : 'The message template must be JSON.',
  send: ({ url, message_template = usualMessage }, notice, env) => {
    const isAlert = notice.event === 'alert_state_change';
    const body = filled(message_template, {
      alert_name: isAlert ? notice.alert.name : titleOf(notice),
      alert_url: urlOf(notice),
      query_text: isAlert ? (notice.query?.name ?? '') : '',
      query_url: isAlert ? (notice.query?.url ?? '') : '',
      title: titleOf(notice),
      text: textOf(notice),
    });
    if (!isJson(body)) throw new NotifierError('The message template does not give JSON.', true);
    return post(env, url, { body, headers: { 'content-type': 'application/json' } });
  },
});
