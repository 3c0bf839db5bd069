import dayjs from 'dayjs';
import { useSession } from '../api/session.ts';
import { Tooltip } from './Tooltip.tsx';
import { timeAgo } from './timeAgo.ts';
import { useNow } from './useNow.ts';

interface TimeAgoProps {
  /** ISO text as it comes over the wire. */
  date: string | null | undefined;
  /** Shown where there is no time. */
  placeholder?: string;
}

/** "5 minutes ago", with the local time in the organisation's format on hover and on focus. */
export function TimeAgo({ date, placeholder = '–' }: TimeAgoProps) {
  const now = useNow();
  const { client_config } = useSession();
  if (!date) return placeholder;
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return placeholder;
  const exact = dayjs(at).format(client_config.dateTimeFormat);
  return (
    <Tooltip title={exact}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard (screens 1.4) */}
      <time dateTime={at.toISOString()} data-exact={exact} tabIndex={0}>
        {timeAgo(at, now)}
      </time>
    </Tooltip>
  );
}
