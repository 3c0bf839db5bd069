import { notification } from 'antd';
import { useEffect } from 'react';
import { onNotice, takeNotices } from './noticeQueue.ts';

/** As quiet as the rest: body text, tight. */
const styles = {
  root: { padding: '12px 16px' },
  title: { fontSize: 14, lineHeight: '20px', marginBottom: 0 },
  icon: { fontSize: 18, marginTop: 1 },
  close: { top: 11 },
};

/** The bar at the top stays in reach. */
const belowBar = 56;

/** Screens 1.9: where the frame has the phone's shape. */
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
          // Errors interrupt a screen reader, the rest waits for its turn.
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
