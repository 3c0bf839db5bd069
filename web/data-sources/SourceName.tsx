import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { Link } from 'react-router';
import { Label } from '../ui/Label.tsx';
import { SourceLogo } from './logos/SourceLogo.tsx';
import styles from './SourceName.module.css';
import { builtInType } from './sourceTypes.ts';

interface SourceNameProps {
  source: Pick<DataSource, 'id' | 'name' | 'type'>;
  /** Shown below the name, where it has no column of its own. */
  typeName?: string;
  /** False where a click means something else. */
  isLink?: boolean;
}

/** A data source in a row of 40 px: logo, name, and its type below it. */
export function SourceName({ source: { id, name, type }, typeName, isLink = true }: SourceNameProps) {
  const isBuiltIn = type === builtInType;
  return (
    <span className={styles.source}>
      <SourceLogo type={type} typeName={typeName} />
      <span className={styles.text}>
        <span className={styles.line}>
          {isLink ? (
            <Link className={styles.name} to={`/data_sources/${id}`} title={name}>
              {name}
            </Link>
          ) : (
            <span className={styles.name} title={name}>
              {name}
            </span>
          )}
          {isBuiltIn && !typeName && <Label>Built-in</Label>}
        </span>
        {typeName && <span className={styles.type}>{isBuiltIn ? `${typeName} · Built-in` : typeName}</span>}
      </span>
    </span>
  );
}
