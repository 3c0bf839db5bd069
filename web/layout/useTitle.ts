import { useEffect } from 'react';

/** Sets the title of pages that are named after their content; other pages have their title in the routes. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);
}
