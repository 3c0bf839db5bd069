import { useEffect } from 'react';
import { notify } from '../ui/notify.tsx';

const key = 'offline';

/** Q2: stays while the browser is offline and disappears when it is online again. */
export function OfflineNotice() {
  useEffect(() => {
    const show = () => notify.warning('Please check your Internet connection.', { key, duration: 0 });
    const hide = () => notify.close(key);
    if (!navigator.onLine) show();
    addEventListener('offline', show);
    addEventListener('online', hide);
    return () => {
      removeEventListener('offline', show);
      removeEventListener('online', hide);
    };
  }, []);
  return null;
}
