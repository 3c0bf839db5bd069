import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { StoredOptions } from '../define.ts';
import { commonSettings } from '../displaySettings.ts';
import { useResultFilters } from '../filters/useResultFilters.ts';
import { VisualizationEditor } from '../VisualizationEditor.tsx';
import { VisualizationRenderer } from '../VisualizationRenderer.tsx';
import { allCases, type ListedCase } from './cases.ts';
import styles from './Gallery.module.css';
import { GalleryFeed } from './GalleryFeed.tsx';
import { hostileCases } from './hostileCases.ts';

const usualWidth = 480;
const query = new URLSearchParams(location.search);
/** The list of cases, for tests. */
Object.assign(window, {
  galleryCases: [...allCases, ...hostileCases()].map(({ id, isHeavy, isPictured }) => ({
    id,
    isPictured: !isHeavy && isPictured !== false,
    isHostile: id.startsWith('hostile/'),
  })),
});
const listen = (changed: () => void) => {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
};
const useHash = (): string => useSyncExternalStore(listen, () => decodeURIComponent(location.hash.slice(1)) || (query.get('case') ?? ''));

/** `#table/readings` (or `?case=readings`) shows one case, `#table` those of a kind; `?edit` adds editors, `?bare` leaves only the picture. */
export function Gallery() {
  const wanted = useHash();
  const shown = useMemo(
    () => [...allCases, ...hostileCases()].filter((item) => (wanted === '' ? !item.isHeavy : isWanted(item, wanted))),
    [wanted],
  );
  return (
    <GalleryFeed>
      <main className={query.has('bare') ? undefined : styles.gallery}>
        {!query.has('bare') && <Contents />}
        {shown.map((item) => (
          <CaseView key={item.id} item={item} />
        ))}
      </main>
    </GalleryFeed>
  );
}

const isWanted = ({ id, name, isHeavy }: ListedCase, wanted: string) =>
  id === wanted || name === wanted || (!isHeavy && id.startsWith(`${wanted}/`));

function Contents() {
  const kinds = [...new Set(allCases.map(({ id }) => id.split('/')[0] ?? ''))];
  return (
    <nav className={styles.cases} aria-label="Cases">
      <a href="?">all</a>
      {kinds.map((kind) => (
        <a key={kind} href={`#${kind}`}>
          {kind}
        </a>
      ))}
      {allCases
        .filter(({ isHeavy }) => isHeavy)
        .map(({ id }) => (
          <a key={id} href={`#${id}`}>
            {id}
          </a>
        ))}
    </nav>
  );
}

function CaseView({ item }: { item: ListedCase }) {
  const [data, setData] = useState(item.make);
  const [options, setOptions] = useState<StoredOptions>(item.options);
  const visualization = useMemo(() => ({ type: item.type, name: item.name, options }), [item, options]);
  const settings = useMemo(() => ({ ...commonSettings, ...item.settings }), [item]);
  const filters = useResultFilters(data);
  const isEdited = query.has('edit');
  // For measurements: when the data was there, and a function to refresh it.
  useEffect(() => {
    Object.assign(window, { refreshCase: () => setData(item.make()), storedOptions: () => options });
  }, [item, options]);
  const picture = (
    <div className={styles.picture} data-case={item.id} style={{ width: item.width ?? usualWidth, height: item.height }}>
      <VisualizationRenderer
        visualization={visualization}
        data={data}
        settings={settings}
        filters={filters}
        context={item.context ?? 'query'}
        {...(isEdited && { onOptionsChange: setOptions })}
      />
    </div>
  );
  if (query.has('bare')) return picture;
  return (
    <article className={styles.case}>
      <h2>{item.id}</h2>
      <p>{item.note}</p>
      <div className={isEdited ? styles.both : undefined}>
        {isEdited && (
          <div className={styles.editor}>
            <VisualizationEditor visualization={visualization} data={data} settings={commonSettings} onOptionsChange={setOptions} />
          </div>
        )}
        {picture}
      </div>
    </article>
  );
}
