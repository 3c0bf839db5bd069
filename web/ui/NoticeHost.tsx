import { notification } from 'antd';
import { useEffect } from 'react';
import { onNotice, takeNotices } from '../api/noticeQueue.ts';
import { countShownTime } from './noticeTimer.ts';

/** Quiet styles: body text, tight spacing. */
const styles = {
  root: { padding: '12px 16px' },
  title: { fontSize: 14, lineHeight: '20px', marginBottom: 0 },
  icon: { fontSize: 18, marginTop: 1 },
  close: { top: 11 },
};

/** Keeps the top bar accessible. */
const belowBar = 56;

/** Screens 1.9: whether the frame has its phone layout. */
const isPhone = () => matchMedia('(max-width: 767px)').matches;

let shown = 0;

export function NoticeHost() {
  const [api, holder] = notification.useNotification({
    placement: 'bottomRight',
    maxCount: 5,
    top: belowBar,
    styles,
  });
  useEffect(() => {
    const show = () => {
      for (const step of takeNotices()) {
        if ('close' in step) api.destroy(step.close);
        else {
          const className = `notice-${++shown}`;
          const { kind, duration = 3, isAboveOnPhones = false, key = className, ...rest } = step.open;
          // Errors interrupt a screen reader, other notices wait.
          api[kind]({
            ...rest,
            ...(isAboveOnPhones && isPhone() && { placement: 'top' }),
            key,
            className,
            // The library would count the time of the clock.
            duration: false,
            role: kind === 'error' ? 'alert' : 'status',
          });
          // One that is replaced by another of the same key loses its class, and its time ends without effect.
          if (duration > 0) {
            const find = () => document.querySelector(`.ant-notification .${className}`);
            countShownTime(find, duration, () => api.destroy(key));
          }
        }
      }
    };
    show();
    return onNotice(show);
  }, [api]);
  return holder;
}
