import { useEffect } from 'react';

/** For pages that are called after what they show; other pages have their title in the routes. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);
}
