import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { ReactNode } from 'react';
import { localKeys } from './localOptions.ts';
import { PaneDivider } from './PaneDivider.tsx';
import { QueryDescription } from './QueryDescription.tsx';
import { QueryMeta } from './QueryMeta.tsx';
import styles from './QuerySource.module.css';
import { DatabaseSelect } from './schema/DatabaseSelect.tsx';
import { nameWriter } from './schema/nameWriter.ts';
import { SchemaBrowser } from './schema/SchemaBrowser.tsx';
import { useDatabases } from './schema/useDatabases.ts';
import type { useSchema } from './schema/useSchema.ts';
import type { EditedQuery } from './useEditedQuery.ts';
import { usePaneSize } from './usePaneSize.ts';

interface SourcePaneProps {
  edited: EditedQuery;
  source: DataSource | undefined;
  schema: ReturnType<typeof useSchema>;
  sourceSelect: ReactNode;
  onInsert: (text: string) => void;
}

/** Screens 5.1, left: the query's source, its schema, and facts about the query. */
export function SourcePane({ edited, source, schema, sourceSelect, onInsert }: SourcePaneProps) {
  const [size, setSize, reset] = usePaneSize(localKeys.sidePane, 300);
  const { saved, canEdit } = edited;
  const databases = useDatabases(source?.has_databases ? source.id : null);
  const refresh = () => {
    databases.refresh();
    return schema.refresh();
  };
  return (
    <>
      <aside className={styles.side} style={{ width: size }} aria-label="Data source">
        {sourceSelect}
        {source?.has_databases && (
          <DatabaseSelect
            key={source.id}
            dataSourceId={source.id}
            value={edited.database}
            onChange={edited.setDatabase}
            isDisabled={!canEdit}
          />
        )}
        <SchemaBrowser
          schema={{ ...schema, refresh }}
          names={nameWriter(source ?? { syntax: '', type: '', dialect: 'generic' })}
          onInsert={canEdit ? onInsert : undefined}
        />
        {saved && (
          <div className={styles.sideFoot}>
            <div className={styles.description}>
              <QueryDescription edited={edited} queryId={saved.id} />
            </div>
            <QueryMeta query={saved} />
          </div>
        )}
      </aside>
      <PaneDivider label="Width of the schema" orientation="vertical" size={size} min={200} max={600} onSize={setSize} onReset={reset} />
    </>
  );
}
