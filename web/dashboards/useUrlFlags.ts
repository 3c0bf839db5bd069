import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Flags have no value: `?edit`, not `?edit=`. */
export const searchText = (params: URLSearchParams): string => params.toString().replaceAll(/\b(edit|reorder|fullscreen)=(?=&|$)/g, '$1');

/** Flags in the address: `?edit`, `?refresh=60`. Set by replace, so that Back leaves the dashboard (screens 1.7). */
export function useUrlFlags() {
  const { search, hash, pathname } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const set = useCallback(
    (changes: Readonly<Record<string, string | null>>, path = pathname) => {
      const next = new URLSearchParams(search);
      for (const [key, value] of Object.entries(changes)) {
        if (value === null) next.delete(key);
        else next.set(key, value);
      }
      const text = searchText(next);
      navigate({ pathname: path, search: text && `?${text}`, hash }, { replace: true, preventScrollReset: true });
    },
    [search, hash, pathname, navigate],
  );
  return { params, set };
}
