/** D2: the Dashboard tab is for the user named admin. */
export const hasDashboardTab = ({ name }: { name: string }): boolean => name === 'admin';
