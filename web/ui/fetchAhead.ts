let fetching = 0;

/** Code that somebody may want soon. When it cannot be fetched nobody has missed it yet: it is asked for again when it is wanted. */
export async function fetchAhead(load: () => Promise<unknown>): Promise<void> {
  fetching++;
  await load().catch(() => {});
  fetching--;
}

export const isFetchingAhead = (): boolean => fetching > 0;
