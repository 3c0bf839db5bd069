/** A2: the name of a group's access to a data source. */
export const accessName = (isViewOnly: boolean): string => (isViewOnly ? 'View Only' : 'Full Access');
