import type { Permission } from '@telltale/domain/access/permissions.ts';
import { type ComponentType, lazy } from 'react';
import { matchPath } from 'react-router';

/** A part of the product: its entry in the navigation is lit on all of its pages, whatever their addresses. */
export type Area = 'home' | 'lorawan' | 'dashboards' | 'queries' | 'alerts' | 'commands' | 'mqtt' | 'settings' | 'admin';

interface PageOptions {
  title: string;
  area?: Area;
  /** Who lacks it sees the 403 panel. */
  needs?: Permission;
}

export interface PageRoute extends PageOptions {
  path: string;
  Page: ComponentType;
  /** Loads the code ahead, when somebody is about to go there. */
  preload: () => Promise<unknown>;
}

export function page(path: string, load: () => Promise<ComponentType>, options: PageOptions): PageRoute {
  let loading: Promise<{ default: ComponentType }> | null = null;
  const preload = () => {
    loading ??= load().then((Page) => ({ default: Page }));
    // A chunk that could not be fetched may be there the next time.
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };
  return { path, Page: lazy(preload), preload, ...options };
}

/** The page at an address, the more exact one first; none for addresses that are not the console's. */
export function findPage(pages: readonly PageRoute[], pathname: string): PageRoute | undefined {
  const isExact = ({ path }: PageRoute) => path === pathname;
  return pages.find(isExact) ?? pages.find(({ path }) => matchPath(path, pathname));
}
