import { optionalText, requiredSecret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import type { Notice } from './notice.ts';
import { defineNotifier } from './notifier.ts';
import { postForm } from './post.ts';
import { linksOf, textOf, titleOf } from './words.ts';

const address = 'https://app.asana.com';
const states = { triggered: 'TRIGGERED', ok: 'RECOVERED', unknown: 'UNKNOWN' };

/** server-behaviour 15.3: the name of a task says the state, so that a project can be read as a list. */
const taskNameOf = (notice: Notice): string =>
  notice.event === 'alert_state_change' ? `[Telltale Alert] ${states[notice.alert.state]}: ${notice.alert.name}` : titleOf(notice);

export const asana = defineNotifier({
  type: 'asana',
  name: 'Asana',
  icon: 'fa-asana',
  options: z.strictObject({
    pat: requiredSecret('Personal Access Token'),
    project_id: text('Project ID'),
    url: optionalText('Address of the API', { example: address, extra: true }),
  }),
  addressOf: ({ url }) => url ?? address,
  send: ({ pat, project_id, url = address }, notice, env) => {
    const task = {
      name: taskNameOf(notice),
      notes: [titleOf(notice), textOf(notice), linksOf(notice)].join('\n\n'),
      projects: project_id,
    };
    return postForm(env, `${url.replace(/\/+$/, '')}/api/1.0/tasks`, task, { authorization: `Bearer ${pat}` });
  },
});
