import { momentText } from './momentText.ts';
import { Tooltip } from './Tooltip.tsx';
import { timeAgo } from './timeAgo.ts';
import { useNow } from './useNow.ts';

interface TimeAgoProps {
  /** ISO text as the server sends it. */
  date: string | null | undefined;
  /** Shown where there is no time. */
  placeholder?: string;
}

/** "5 minutes ago", with the exact local time on hover and on focus. */
export function TimeAgo({ date, placeholder = '–' }: TimeAgoProps) {
  const now = useNow();
  if (!date) return placeholder;
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return placeholder;
  const exact = momentText(at);
  return (
    <Tooltip title={exact}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard (screens 1.4) */}
      <time dateTime={at.toISOString()} data-exact={exact} tabIndex={0}>
        {timeAgo(at, now)}
      </time>
    </Tooltip>
  );
}
