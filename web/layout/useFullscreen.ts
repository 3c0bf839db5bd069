import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../api/session.ts';

/** Screens 1.7: `fullscreen` in the address hides the navigation, so that such a view can be shared. */
export function useFullscreen(): { isFullscreen: boolean; isOffered: boolean; toggle: () => void } {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const isOffered = !useSession().client_config.disableFullscreen;
  const isFullscreen = isOffered && new URLSearchParams(search).has('fullscreen');
  const toggle = useCallback(() => {
    const params = new URLSearchParams(search);
    if (params.has('fullscreen')) params.delete('fullscreen');
    else params.set('fullscreen', '');
    const text = params.toString().replace(/\bfullscreen=(?=&|$)/, 'fullscreen');
    navigate({ search: text && `?${text}`, hash }, { replace: true, preventScrollReset: true });
  }, [search, hash, navigate]);
  return { isFullscreen, isOffered, toggle };
}
