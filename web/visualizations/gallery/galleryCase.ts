import type { DrawingContext, StoredOptions } from '../define.ts';
import type { DisplaySettings } from '../displaySettings.ts';
import type { ResultSource } from '../resultTable.ts';

/** One picture of one kind with fixed data. A kind's cases are `galleryCases` of `<kind>/galleryCases.ts`; the gallery finds them. */
export interface GalleryCase {
  /** Unique in its folder; also the name of its reference picture, so lower case and hyphens. */
  name: string;
  /** The expected picture. */
  note: string;
  type: string;
  options: StoredOptions;
  /** The data, always the same: without clock or chance. */
  make: () => ResultSource;
  /** 480 unless given, so that pictures stay small. */
  width?: number;
  /** The height of its place; without one the picture has its own height. */
  height?: number;
  context?: DrawingContext;
  settings?: Partial<DisplaySettings>;
  /** Drawn only when it is asked for. */
  isHeavy?: true;
  /** The case has no reference picture, because the fonts of its scripts depend on the machine. */
  isPictured?: false;
}
