import { notification } from 'antd';
import { useEffect } from 'react';
import { onNotice, takeNotices } from '../api/noticeQueue.ts';

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

export function NoticeHost() {
  const [api, holder] = notification.useNotification({
    placement: 'bottomRight',
    duration: 3,
    maxCount: 5,
    top: belowBar,
    pauseOnHover: true,
    styles,
  });
  useEffect(() => {
    const show = () => {
      for (const step of takeNotices()) {
        if ('close' in step) api.destroy(step.close);
        else {
          const { kind, duration, isAboveOnPhones = false, ...rest } = step.open;
          // Errors interrupt a screen reader, other notices wait.
          api[kind]({
            ...rest,
            ...(isAboveOnPhones && isPhone() && { placement: 'top' }),
            duration: duration ?? 3,
            role: kind === 'error' ? 'alert' : 'status',
          });
        }
      }
    };
    show();
    return onNotice(show);
  }, [api]);
  return holder;
}
