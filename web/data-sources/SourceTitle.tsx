import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { Label } from '../ui/Label.tsx';
import { PictureTitle } from '../ui/PictureTitle.tsx';
import { SourceLogo } from './logos/SourceLogo.tsx';
import { useTypeName } from './useDataSources.ts';

/** Logo, name, and the name of the type below it. */
export function SourceTitle({ source: { name, type, is_built_in } }: { source: FullDataSource }) {
  const typeName = useTypeName()(type);
  return (
    <PictureTitle
      picture={<SourceLogo type={type} typeName={typeName} size={40} />}
      name={name}
      below={typeName}
      label={is_built_in && <Label>Built-in</Label>}
    />
  );
}
