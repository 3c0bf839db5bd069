import { notification } from 'antd';
import { useEffect } from 'react';
import { onNotice, takeNotices } from './notify.tsx';

export function NoticeHost() {
  const [api, holder] = notification.useNotification({ placement: 'bottomRight', duration: 3, maxCount: 5, pauseOnHover: true });
  useEffect(() => {
    const show = () => {
      for (const step of takeNotices()) {
        if ('close' in step) api.destroy(step.close);
        else {
          const { kind, duration, ...rest } = step.open;
          // Errors interrupt a screen reader, the rest waits for its turn.
          api[kind]({ ...rest, duration: duration ?? 3, role: kind === 'error' ? 'alert' : 'status' });
        }
      }
    };
    show();
    return onNotice(show);
  }, [api]);
  return holder;
}
