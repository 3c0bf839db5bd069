import { asana } from './asana.ts';
import { chatwork } from './chatwork.ts';
import { datadog } from './datadog.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { hangoutsChat } from './hangouts-chat.ts';
import { hipchat } from './hipchat.ts';
import { mattermost } from './mattermost.ts';
import { microsoftTeamsWebhook } from './microsoft-teams-webhook.ts';
import type { Notifier } from './notifier.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { sms } from './sms.ts';
import { telegram } from './telegram.ts';
import { webex } from './webex.ts';
import { webhook } from './webhook.ts';

/** The kinds of destination there are. */
export const notifiers: readonly Notifier[] = [
  email,
  slack,
  webhook,
  mattermost,
  pagerduty,
  chatwork,
  hangoutsChat,
  hipchat,
  sms,
  microsoftTeamsWebhook,
  discord,
  telegram,
  webex,
  asana,
  datadog,
];

const byType = new Map(notifiers.map((notifier) => [notifier.type, notifier]));
export const findNotifier = (type: string): Notifier | undefined => byType.get(type);
