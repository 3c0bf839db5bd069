import type { Permission } from '@telltale/domain/access/permissions.ts';
import { type ComponentType, lazy } from 'react';
import { matchPath } from 'react-router';
import type { PageShape } from './PageSkeleton.tsx';

/** A part of the product: its entry in the navigation is active on all of its pages, whatever their addresses. */
export type Area = 'home' | 'lorawan' | 'dashboards' | 'queries' | 'alerts' | 'commands' | 'mqtt' | 'settings' | 'admin';

export interface PageOptions {
  title: string;
  area?: Area;
  /** Users who lack it see the 403 panel. */
  needs?: Permission;
  /** The skeleton that is shown while the page's code loads; `list` by default. */
  shape?: PageShape;
  /** `fullscreen` in its address leaves the navigation out. */
  canBeFullscreen?: boolean;
  /** The address that the page certainly reads first, so that it is loaded together with the code; undefined where none is certain. */
  reads?: (params: Readonly<Record<string, string | undefined>>) => string | undefined;
}

export interface PageRoute extends PageOptions {
  path: string;
  Page: ComponentType;
  /** Loads the code in advance, when the user is about to go there. */
  preload: () => Promise<unknown>;
}

type Load = () => Promise<ComponentType>;

/** Pages that share their code are one component: going from one to another by replace keeps the screen. */
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
    // A chunk that could not be fetched may be available the next time.
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };
  return { Page: lazy(() => untilFetched(preload)), preload };
}

/** The server may be away for a moment, as during a restart: the skeleton stays meanwhile. */
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

/** Path parameters that are numeric ids; channels, devices and dashboards have names of their own. */
const numbered = ['queryId', 'querySnippetId', 'userId', 'groupId', 'dataSourceId', 'alertId', 'destinationId', 'commandId', 'networkId'];

/** False for addresses such as /queries/abc, which cannot name any object: they get the 404 panel without a request. */
export const canExist = (params: Readonly<Record<string, string | undefined>>): boolean =>
  numbered.every((name) => params[name] === undefined || /^[1-9]\d{0,9}$/.test(params[name]));

/** The first address that the page reads. */
export const firstRead = ({ path, reads }: PageRoute, pathname: string): string | undefined =>
  reads?.(matchPath(path, pathname)?.params ?? {});

/** The page at an address, the more specific one first; undefined for addresses outside of the console. */
export function findPage(pages: readonly PageRoute[], pathname: string): PageRoute | undefined {
  const isExact = ({ path }: PageRoute) => path === pathname;
  return pages.find(isExact) ?? pages.find(({ path }) => matchPath(path, pathname));
}
