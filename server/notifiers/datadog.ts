import { choice, optionalText, requiredSecret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import type { Notice } from './notice.ts';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { listedIn } from './send-to-each.ts';
import { linksOf, moodOf, textOf, titleOf, urlOf } from './words.ts';

const address = 'https://api.datadoghq.com';
const alertTypes = { triggered: 'error', ok: 'success', unknown: 'warning' };
/** Datadog refuses longer texts and longer keys. */
const longestText = 4000;
const longestKey = 100;

function tagsOf(notice: Notice): string[] {
  if (notice.event === 'test') return [];
  if (notice.event === 'command_delivery') return [`command_id:${notice.command.id}`, `device_id:${notice.device_id}`];
  const { alert, query, device } = notice;
  return [...(query ? [`query_id:${query.id}`] : []), ...(device ? [`device_id:${device.device_id}`] : []), `alert_id:${alert.id}`];
}

export const datadog = defineNotifier({
  type: 'datadog',
  name: 'Datadog',
  icon: 'fa-datadog',
  options: z.strictObject({
    api_key: requiredSecret('API Key'),
    tags: optionalText('Tags', { example: 'env:production, team:plant', info: 'Separated by commas.' }),
    priority: choice('Priority', ['normal', 'low'], 'normal'),
    source_type_name: optionalText('Source Type Name', { default: 'my_apps' }),
    url: optionalText('Address of the API', { example: address, info: 'Each region of Datadog has its own.', extra: true }),
  }),
  addressOf: ({ url }) => url ?? address,
  // server-behaviour 15.3: events of one alert have one key, by which Datadog shows them together.
  send: ({ api_key, tags = '', priority, source_type_name, url = address }, notice, env) => {
    const links = linksOf(notice);
    const event = {
      title: titleOf(notice),
      text: `${textOf(notice).slice(0, longestText - links.length - 1)}\n${links}`,
      alert_type: alertTypes[moodOf(notice)],
      priority,
      source_type_name,
      aggregation_key: `telltale:${urlOf(notice)}`.slice(0, longestKey),
      tags: [...listedIn(tags), 'telltale', ...tagsOf(notice)],
    };
    return postJson(env, `${url.replace(/\/+$/, '')}/api/v1/events`, event, { 'dd-api-key': api_key });
  },
});
