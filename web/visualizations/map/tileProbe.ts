const answers = new Map<string, { at: number; answer: Promise<boolean> }>();
const keptMs = 5 * 60_000;
const timeoutMs = 6000;

/** Requests one tile from a source, once for all maps: without a network there is one silent failure instead of forty broken pictures. */
export function canReach(url: string): Promise<boolean> {
  if (!navigator.onLine) return Promise.resolve(false);
  const known = answers.get(url);
  if (known && Date.now() - known.at < keptMs) return known.answer;
  const answer = probe(url);
  answers.set(url, { at: Date.now(), answer });
  return answer;
}

function probe(url: string): Promise<boolean> {
  return new Promise((done) => {
    const picture = new Image();
    const timer = setTimeout(() => done(false), timeoutMs);
    const end = (isThere: boolean) => {
      clearTimeout(timer);
      done(isThere);
    };
    picture.onload = () => end(true);
    picture.onerror = () => end(false);
    picture.src = url
      .replace('{s}', 'a')
      .replace('{r}', '')
      .replace('{z}', '0')
      .replace('{x}', '0')
      .replace(/\{-?y\}/, '0');
  });
}
