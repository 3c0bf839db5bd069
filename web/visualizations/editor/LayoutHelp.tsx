import styles from './LayoutHelp.module.css';

interface Layout {
  text: string;
  columns: readonly (readonly [name: string, meaning: string])[];
}

/** Help for kinds that read the names of columns instead of settings: the columns they look for. */
export function LayoutHelp({ layouts, note }: { layouts: readonly Layout[]; note: string }) {
  return (
    <div className={styles.help}>
      {layouts.map(({ text, columns }) => (
        <section key={text}>
          <p>{text}</p>
          <dl>
            {columns.map(([name, meaning]) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={styles.note}>{note}</p>
    </div>
  );
}
