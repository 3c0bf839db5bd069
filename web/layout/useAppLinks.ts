import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { usePages } from './Pages.tsx';
import { findPage } from './pageRoute.ts';

/** Screens 1.2: a plain link to a page of the console (in a text, in a table) navigates without a reload, too. */
export function useAppLinks(): void {
  const navigate = useNavigate();
  const pages = usePages();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if ((link.target && link.target !== '_self') || link.hasAttribute('download') || 'reload' in link.dataset) return;
      // The server handles addresses that are no pages of ours: login, API page, files.
      if (link.origin !== location.origin || !findPage(pages, link.pathname)) return;
      event.preventDefault();
      navigate(link.pathname + link.search + link.hash);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [navigate, pages]);
}
