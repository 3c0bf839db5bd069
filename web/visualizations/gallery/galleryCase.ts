import type { DrawingContext, StoredOptions } from '../define.ts';
import type { ResultSource } from '../resultTable.ts';

/** One picture of one kind with fixed data. A kind's cases are `galleryCases` of `<kind>/galleryCases.ts`; the gallery finds them. */
export interface GalleryCase {
  /** Unique in its folder; also the name of its reference picture, so lower case and hyphens. */
  name: string;
  /** What one should see. */
  note: string;
  type: string;
  options: StoredOptions;
  /** Always the same: no clock, no chance. */
  make: () => ResultSource;
  /** 480 unless given, so that pictures stay small. */
  width?: number;
  /** In a place of this height; without one it has its own. */
  height?: number;
  context?: DrawingContext;
  /** Drawn only when it is asked for. */
  isHeavy?: true;
  /** Not compared with a reference, because it shows scripts whose fonts are the machine's. */
  isPictured?: false;
}
