/** A8: a link to hand over works only with the host it was shown on. */
export const absoluteLink = (link: string, page: string): string => new URL(link, new URL('/', page)).href;
