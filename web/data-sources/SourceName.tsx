import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { Label } from '../ui/Label.tsx';
import { PictureName } from '../ui/PictureName.tsx';
import { SourceLogo } from './logos/SourceLogo.tsx';
import { builtInType } from './sourceTypes.ts';

interface SourceNameProps {
  source: Pick<DataSource, 'id' | 'name' | 'type'>;
  /** Shown below the name, where it has no column of its own. */
  typeName?: string;
  /** False where a click has another meaning. */
  isLink?: boolean;
}

/** A data source in a row of 40 px: logo, name, and its type below it. */
export function SourceName({ source: { id, name, type }, typeName, isLink = true }: SourceNameProps) {
  const isBuiltIn = type === builtInType;
  return (
    <PictureName
      picture={<SourceLogo type={type} typeName={typeName} />}
      name={name}
      below={typeName && isBuiltIn ? `${typeName} · Built-in` : typeName}
      to={isLink ? `/data_sources/${id}` : undefined}
      label={isBuiltIn && !typeName && <Label>Built-in</Label>}
    />
  );
}
