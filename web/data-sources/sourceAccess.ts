/** A2: the words for what a group may do with a data source. */
export const accessName = (isViewOnly: boolean): string => (isViewOnly ? 'View Only' : 'Full Access');
