import { createContext, useContext } from 'react';
import type { PageRoute } from './pageRoute.ts';

/** The registered pages, handed down by main: nothing below the routes imports them. */
const PagesContext = createContext<readonly PageRoute[]>([]);

export const PagesProvider = PagesContext.Provider;
export const usePages = (): readonly PageRoute[] => useContext(PagesContext);
