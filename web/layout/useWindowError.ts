import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** Q2: an uncaught error of the window shows the error page, until the user navigates. */
export function useWindowError(): unknown {
  const { key } = useLocation();
  const [caught, setCaught] = useState<{ key: string; error: unknown } | null>(null);
  useEffect(() => {
    const onError = ({ error }: ErrorEvent) => {
      // An event without an error object is a notice of the browser (ResizeObserver) or of a foreign script.
      if (error) setCaught({ key, error });
    };
    addEventListener('error', onError);
    return () => removeEventListener('error', onError);
  }, [key]);
  return caught?.key === key ? caught.error : null;
}
