let fetching = 0;

/** Fetches code that may be needed soon. A failure does no harm: the code is fetched again when it is needed. */
export async function fetchAhead(load: () => Promise<unknown>): Promise<void> {
  fetching++;
  await load().catch(() => {});
  fetching--;
}

export const isFetchingAhead = (): boolean => fetching > 0;
