/** Saves each item by one request, and returns those that failed. */
export async function saveEach<T>(items: readonly T[], save: (item: T) => Promise<unknown>): Promise<T[]> {
  const outcomes = await Promise.allSettled(items.map((item) => save(item)));
  return items.filter((_, at) => outcomes[at]?.status === 'rejected');
}
