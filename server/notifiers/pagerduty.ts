import { optionalText, requiredSecret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import type { Notice } from './notice.ts';
import { defineNotifier } from './notifier.ts';
import { postJson } from './post.ts';
import { moodOf, textOf, titleOf } from './words.ts';

const address = 'https://events.pagerduty.com/v2/enqueue';

/** The key of the incident, one per alert and device; later events refer to it by this key. */
function incidentOf(notice: Notice): string {
  if (notice.event === 'command_delivery') return `command_${notice.command.id}_${notice.device_id}`;
  if (notice.event === 'test') return 'telltale_test';
  const { alert, device } = notice;
  return `${alert.id}_${device ? `${device.channel_id}_${device.device_id}` : alert.query_id}`;
}

export const pagerduty = defineNotifier({
  type: 'pagerduty',
  name: 'PagerDuty',
  icon: 'creative-commons-pd-alt',
  options: z.strictObject({
    integration_key: requiredSecret('Integration Key'),
    description: optionalText('Description for the event, defaults to the alert name'),
    url: optionalText('Address of the Events API', { example: address, extra: true }),
  }),
  addressOf: ({ url }) => url ?? address,
  send: async ({ integration_key, description, url = address }, notice, env) => {
    const key = incidentOf(notice);
    const isAlert = notice.event === 'alert_state_change';
    const summary = isAlert ? (notice.subject ?? description ?? `Alert: ${notice.alert.name}`) : titleOf(notice);
    const details = isAlert ? notice.body : textOf(notice);
    const event = (event_action: 'trigger' | 'resolve', severity: string) => ({
      routing_key: integration_key,
      incident_key: key,
      dedup_key: key,
      payload: { summary: summary.slice(0, 1024), severity, source: 'telltale', ...(details ? { custom_details: details } : {}) },
      event_action,
    });
    if (notice.event === 'test') {
      // The incident of a test is resolved at once: an open one would wake people up.
      await postJson(env, url, event('trigger', 'info'));
      return postJson(env, url, event('resolve', 'info'));
    }
    // server-behaviour 15.3: the state unknown neither opens nor resolves an incident.
    const mood = moodOf(notice);
    if (mood !== 'unknown') await postJson(env, url, event(mood === 'triggered' ? 'trigger' : 'resolve', 'error'));
  },
});
