import type { Permission } from '@telltale/domain/access/permissions.ts';
import { type ComponentType, lazy } from 'react';
import { matchPath } from 'react-router';

/** A part of the product: its entry in the navigation is lit on all of its pages, whatever their addresses. */
export type Area = 'home' | 'lorawan' | 'dashboards' | 'queries' | 'alerts' | 'commands' | 'mqtt' | 'settings' | 'admin';

export interface PageOptions {
  title: string;
  area?: Area;
  /** Who lacks it sees the 403 panel. */
  needs?: Permission;
  /** `fullscreen` in its address leaves the navigation out. */
  canBeFullscreen?: boolean;
  /** What it is sure to read first, so that a visit asks for it together with the code; undefined where nothing is sure. */
  reads?: (params: Readonly<Record<string, string | undefined>>) => string | undefined;
}

export interface PageRoute extends PageOptions {
  path: string;
  Page: ComponentType;
  /** Loads the code ahead, when somebody is about to go there. */
  preload: () => Promise<unknown>;
}

type Load = () => Promise<ComponentType>;

/** Pages that share their code are one component: going from one to another by replace keeps what is on the screen. */
const loaded = new Map<Load, Pick<PageRoute, 'Page' | 'preload'>>();

export function page(path: string, load: Load, options: PageOptions): PageRoute {
  const code = loaded.get(load) ?? lazyPage(load);
  loaded.set(load, code);
  return { path, ...code, ...options };
}

function lazyPage(load: Load): Pick<PageRoute, 'Page' | 'preload'> {
  let loading: Promise<{ default: ComponentType }> | null = null;
  const preload = () => {
    loading ??= load().then((Page) => ({ default: Page }));
    // A chunk that could not be fetched may be there the next time.
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };
  return { Page: lazy(() => untilFetched(preload)), preload };
}

/** The server may be away for a moment, as when it restarts: meanwhile the skeleton stands. */
async function untilFetched<T>(fetchCode: () => Promise<T>): Promise<T> {
  for (const waitMs of [500, 1500, 3000, 5000]) {
    try {
      return await fetchCode();
    } catch {
      await new Promise((done) => setTimeout(done, waitMs));
    }
  }
  return fetchCode();
}

/** What the page at an address reads first. */
export const firstRead = ({ path, reads }: PageRoute, pathname: string): string | undefined =>
  reads?.(matchPath(path, pathname)?.params ?? {});

/** The page at an address, the more exact one first; none for addresses that are not the console's. */
export function findPage(pages: readonly PageRoute[], pathname: string): PageRoute | undefined {
  const isExact = ({ path }: PageRoute) => path === pathname;
  return pages.find(isExact) ?? pages.find(({ path }) => matchPath(path, pathname));
}
