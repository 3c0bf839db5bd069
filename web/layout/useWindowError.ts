import { useEffect, useState } from 'react';

/** Q2: an uncaught error of the window shows the error page, until somebody goes elsewhere. */
export function useWindowError(pageKey: string): unknown {
  const [caught, setCaught] = useState<{ pageKey: string; error: unknown } | null>(null);
  useEffect(() => {
    const onError = ({ error }: ErrorEvent) => {
      // Without an error object it is a notice of the browser (ResizeObserver) or of a foreign script.
      if (error) setCaught({ pageKey, error });
    };
    addEventListener('error', onError);
    return () => removeEventListener('error', onError);
  }, [pageKey]);
  return caught?.pageKey === pageKey ? caught.error : null;
}
