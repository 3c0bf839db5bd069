import type { Mark } from '../ui/KindMark.tsx';

/** One colour per family. The marks are our own, not trademarks of others. */
const mail = 'var(--series-1)';
const phone = 'var(--series-3)';
const chat = 'var(--series-9)';
const pager = 'var(--series-7)';
const machine = 'var(--series-2)';

export const marks: Readonly<Record<string, Mark>> = {
  // An envelope.
  email: { tint: mail, glyph: <path d="M5.5 7.5h13v9h-13zM5.5 8l6.5 5 6.5-5" /> },
  // A telephone with a line of text.
  sms: { tint: phone, glyph: <path d="M8.5 5.5h7v13h-7zM11 16.25h2M10.75 9h2.5M10.75 11.5h2.5" /> },
  // A line that ends in a hook.
  webhook: { tint: machine, glyph: <path d="M15.25 5.5v8.25a3.25 3.25 0 1 1-6.5 0V12.5M7 14l1.75-2 1.75 2M13.25 5.5h4" /> },
  // A bell.
  pagerduty: {
    tint: pager,
    glyph: <path d="M6.5 16h11c-1.25-1-1.5-2.25-1.5-5a4 4 0 0 0-8 0c0 2.75-.25 4-1.5 5zM10.75 18.5h2.5M12 5.5V7" />,
  },
  // A task that is ticked off.
  asana: { tint: machine, glyph: <path d="M6 6h12v12H6zM9 12.25l2.25 2.25L15.5 10" /> },
  // A curve with a peak.
  datadog: { tint: machine, glyph: <path d="M5.5 5.5v13h13M8 15l3-3.5 2 2 4.5-6" /> },
  slack: { tint: chat, glyph: 'Sl' },
  mattermost: { tint: chat, glyph: 'Ma' },
  microsoft_teams_webhook: { tint: chat, glyph: 'Te' },
  discord: { tint: chat, glyph: 'Di' },
  telegram: { tint: chat, glyph: 'Tg' },
  webex: { tint: chat, glyph: 'We' },
  chatwork: { tint: chat, glyph: 'Cw' },
  hangouts_chat: { tint: chat, glyph: 'Gc' },
  hipchat: { tint: chat, glyph: 'Hi' },
};
