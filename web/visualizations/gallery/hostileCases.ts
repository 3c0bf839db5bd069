import { visualizations } from '../index.ts';
import type { ListedCase } from './cases.ts';
import { hostileResults } from './hostileResults.ts';

/** Every registered kind with every hostile result. */
export const hostileCases = (): ListedCase[] =>
  visualizations.flatMap(({ type, name }) =>
    Object.entries(hostileResults).map(([result, make]): ListedCase => {
      const id = `hostile/${type}-${result}`;
      return { id, name, note: '', type, options: {}, make, height: 320, isHeavy: true, isPictured: false };
    }),
  );
