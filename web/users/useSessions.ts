import { userSessionsApi } from '@telltale/domain/users/sessions-contract.ts';
import { useRead, useWrite } from '../api/query.ts';

export const useUserSessions = (id: number) => useRead(userSessionsApi.list, { params: { id } });

export const useRevokeSession = () => useWrite(userSessionsApi.revoke, { refresh: [userSessionsApi.list], saved: 'Signed out.' });

export const useRevokeOtherSessions = () =>
  useWrite(userSessionsApi.revokeOthers, { refresh: [userSessionsApi.list], saved: 'Signed out everywhere else.' });
