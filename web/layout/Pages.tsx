import { createContext, useContext } from 'react';
import type { PageRoute } from './pageRoute.ts';

/** The registered pages, passed down by main: no component below the routes imports them. */
const PagesContext = createContext<readonly PageRoute[]>([]);

export const PagesProvider = PagesContext.Provider;
export const usePages = (): readonly PageRoute[] => useContext(PagesContext);
