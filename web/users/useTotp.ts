import { factorsApi } from '@telltale/domain/users/factors-contract.ts';
import { useRead, useWrite } from '../api/query.ts';

export const useTotp = (id: number) => useRead(factorsApi.totp, { params: { id } });

/** Each dialog shows failures itself. */
export const useSaveTotp = () => useWrite(factorsApi.saveTotp, { refresh: [factorsApi.totp], failed: false });

export const useRemoveTotp = () =>
  useWrite(factorsApi.removeTotp, { refresh: [factorsApi.totp], saved: 'Two-step sign-in is off.', failed: false });
