/** A8: a link to pass on needs the host of the page that shows it. */
export const absoluteLink = (link: string, page: string): string => new URL(link, new URL('/', page)).href;
