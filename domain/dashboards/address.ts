/** server-behaviour 16.1. */
export const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9_-]+/g, '-');

/** The canonical address; renaming changes only the part after the id. */
export const dashboardUrl = ({ id, name }: { id: number; name: string }): string => `/dashboards/${id}-${slugOf(name)}`;

/** D2: the id before the first dash; undefined when there is none. */
export function dashboardIdOf(routePart: string): number | undefined {
  const [, digits] = /^(\d{1,10})(?:-|$)/.exec(routePart) ?? [];
  const id = Number(digits);
  return digits !== undefined && id >= 1 && id <= 2_147_483_647 ? id : undefined;
}
