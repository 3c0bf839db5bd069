import { useEffect, useMemo, useState } from 'react';
import type { StoredOptions } from '../define.ts';
import { commonSettings } from '../displaySettings.ts';
import { useResultFilters } from '../filters/useResultFilters.ts';
import { VisualizationEditor } from '../VisualizationEditor.tsx';
import { VisualizationRenderer } from '../VisualizationRenderer.tsx';
import styles from './Gallery.module.css';
import { type Case, tableCases } from './tableCases.ts';

/** `?case=name` shows one, `&edit` its editor as well. */
export function Gallery() {
  const query = new URLSearchParams(location.search);
  const one = query.get('case');
  const shown = tableCases.filter(({ name }) => (one === null ? !['wide', 'million'].includes(name) : name === one));
  return (
    <main className={styles.gallery}>
      <nav className={styles.cases} aria-label="Cases">
        <a href="?">all</a>
        {tableCases.map(({ name }) => (
          <a key={name} href={`?case=${name}`}>
            {name}
          </a>
        ))}
      </nav>
      {shown.map((item) => (
        <CaseView key={item.name} item={item} isEdited={query.has('edit')} />
      ))}
    </main>
  );
}

function CaseView({ item, isEdited }: { item: Case; isEdited: boolean }) {
  const [data, setData] = useState(item.make);
  const [options, setOptions] = useState<StoredOptions>(item.options);
  const visualization = useMemo(() => ({ type: item.type, name: item.name, options }), [item, options]);
  const filters = useResultFilters(data);
  // For measuring: when the data was there, and how to refresh it.
  useEffect(() => {
    Object.assign(window, { refreshCase: () => setData(item.make()), storedOptions: () => options });
  }, [item, options]);
  return (
    <article className={styles.case}>
      <h2>{item.name}</h2>
      <p>{item.note}</p>
      <div className={isEdited ? styles.both : undefined}>
        {isEdited && (
          <div className={styles.editor}>
            <VisualizationEditor visualization={visualization} data={data} settings={commonSettings} onOptionsChange={setOptions} />
          </div>
        )}
        <div className={styles.picture} style={{ height: item.height }}>
          <VisualizationRenderer
            visualization={visualization}
            data={data}
            settings={commonSettings}
            filters={filters}
            context={item.context ?? 'query'}
          />
        </div>
      </div>
    </article>
  );
}
