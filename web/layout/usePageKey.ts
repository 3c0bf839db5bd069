import { useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Screens 1.2: a push to another path mounts the page anew; a replace, or another query string or hash, keeps it. */
export function usePageKey(): string {
  const { pathname, key } = useLocation();
  const type = useNavigationType();
  const [page, setPage] = useState({ pathname, key });
  if (page.pathname === pathname) return page.key;
  const next = { pathname, key: type === 'REPLACE' ? page.key : key };
  setPage(next);
  return next.key;
}
