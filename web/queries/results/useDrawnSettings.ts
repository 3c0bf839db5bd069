import type { ColumnDisplay } from '@telltale/domain/channels/attribute-display.ts';
import { useMemo } from 'react';
import { useSession } from '../../api/session.ts';
import type { DisplaySettings } from '../../visualizations/displaySettings.ts';
import { useStable } from '../../visualizations/useStable.ts';

/** The organisation's settings, with what is known about the columns of this query; the same object until they change. */
export function useDrawnSettings(known: ColumnDisplay | undefined): DisplaySettings {
  const columnDisplay = useStable(known);
  const { client_config } = useSession();
  return useMemo(
    () => (columnDisplay && Object.keys(columnDisplay).length > 0 ? { ...client_config, columnDisplay } : client_config),
    [client_config, columnDisplay],
  );
}
