import { type DataSource, dataSourcesApi, groupSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { useList, useRead, useWrite } from '../api/query.ts';
import { saveFailure } from './saveFailure.ts';
import { builtInType, typeNameOf } from './sourceTypes.ts';
import { closeTestNotice } from './useConnectionTest.ts';

/** The types change only with the server. */
export const useSourceTypes = () => useRead(dataSourcesApi.types, {}, { staleTime: Number.POSITIVE_INFINITY });

export function useTypeName(): (type: string) => string {
  const { data, isPending } = useSourceTypes();
  // Shows nothing while loading, rather than a word that changes visibly.
  return (type) => (isPending && type !== builtInType ? '' : typeNameOf(data, type));
}

export function useDataSources() {
  const typeName = useTypeName();
  const textOf = ({ name, type, pause_reason }: DataSource) => [name, type, typeName(type), pause_reason].join('\n');
  return useList(dataSourcesApi.list, { order: 'name', remember: 'data_sources', textOf });
}

export const useDataSource = (id: number) => useRead(dataSourcesApi.get, { params: { id } });

const lists = [dataSourcesApi.list, groupSourcesApi.list];
const everyRead = [dataSourcesApi.get, ...lists];

/** The dialog itself shows failures. */
export const useCreateDataSource = () =>
  useWrite(dataSourcesApi.create, { refresh: lists, saved: 'Saved.', failed: false, onDone: closeTestNotice });

export const useSaveDataSource = () =>
  useWrite(dataSourcesApi.save, {
    refresh: everyRead,
    saved: 'Saved.',
    failed: saveFailure,
    onDone: closeTestNotice,
  });

export const useDeleteDataSource = () =>
  useWrite(dataSourcesApi.remove, { refresh: lists, saved: 'Data source deleted successfully.', onDone: closeTestNotice });

export const usePauseDataSource = () =>
  useWrite(dataSourcesApi.pause, { refresh: everyRead, saved: ({ name }) => `${name} is paused.`, failed: false });

export const useResumeDataSource = () =>
  useWrite(dataSourcesApi.resume, { refresh: everyRead, saved: ({ name }) => `${name} runs queries again.` });
