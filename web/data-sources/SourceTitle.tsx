import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { Label } from '../ui/Label.tsx';
import styles from './DataSourcePage.module.css';
import { SourceLogo } from './logos/SourceLogo.tsx';
import { useTypeName } from './useDataSources.ts';

/** Logo, name, and the name of the type below it. */
export function SourceTitle({ source: { name, type, is_built_in } }: { source: FullDataSource }) {
  const typeName = useTypeName()(type);
  return (
    <span className={styles.title}>
      <SourceLogo type={type} typeName={typeName} size={40} />
      <span className={styles.name}>
        {name}
        <span className={styles.type}>{typeName}</span>
      </span>
      {is_built_in && <Label>Built-in</Label>}
    </span>
  );
}
