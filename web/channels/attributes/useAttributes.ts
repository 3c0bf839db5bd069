import type { AttributeDisplay } from '@telltale/domain/channels/attribute-display.ts';
import { attributesApi } from '@telltale/domain/channels/attributes-contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { useCallback, useMemo } from 'react';
import { useRead, useWrite } from '../../api/query.ts';

export const useAttributes = (channelId: string) => useRead(attributesApi.list, { params: { id: channelId } }, { staleTime: 30_000 });

/** Unit, decimals and thresholds by the name of the attribute. */
export function useDisplays(channelId: string): (attribute: string) => AttributeDisplay | undefined {
  const { data } = useAttributes(channelId);
  const byName = useMemo(() => new Map((data ?? []).map(({ attribute, display }) => [attribute, display])), [data]);
  return useCallback((attribute: string) => byName.get(attribute), [byName]);
}

export const useSaveAttribute = () =>
  useWrite(attributesApi.save, {
    refresh: [attributesApi.list, deviceDataApi.last, deviceDataApi.glance, queriesApi.get],
    saved: 'Attribute saved',
    failed: false,
  });
