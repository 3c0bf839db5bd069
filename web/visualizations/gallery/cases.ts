import type { GalleryCase } from './galleryCase.ts';

export interface ListedCase extends GalleryCase {
  /** `<folder>/<name>`: its address in the gallery and the path of its reference picture. */
  id: string;
}

const found = import.meta.glob<GalleryCase[]>('../*/galleryCases.ts', { eager: true, import: 'galleryCases' });

/** The cases of all kinds, from their own folders. */
export const allCases: readonly ListedCase[] = Object.entries(found).flatMap(([path, cases]) => {
  const folder = path.split('/').at(-2);
  return cases.map((item) => ({ ...item, id: `${folder}/${item.name}` }));
});
