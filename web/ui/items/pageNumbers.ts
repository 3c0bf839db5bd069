/** The pages to offer: first, last and the neighbours of the current one; null stands for skipped ones. */
export function pageNumbers(page: number, last: number): (number | null)[] {
  const wanted = [1, page - 1, page, page + 1, last];
  if (page <= 3) wanted.push(2, 3, 4);
  if (page >= last - 2) wanted.push(last - 3, last - 2, last - 1);
  const pages = [...new Set(wanted)].filter((number) => number >= 1 && number <= last).sort((a, b) => a - b);
  return pages.flatMap((number, at) => {
    const before = pages[at - 1] ?? number - 1;
    if (number - before === 2) return [number - 1, number];
    return number - before > 2 ? [null, number] : [number];
  });
}
