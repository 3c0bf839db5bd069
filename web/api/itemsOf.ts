/** The items of a reply made by `listOf` (domain/lists): an array, or one page of it. */
export const itemsOf = <T>(list: T[] | { results: T[] }): T[] => (Array.isArray(list) ? list : list.results);
