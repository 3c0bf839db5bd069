import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { useRead, useWrite } from '../api/query.ts';
import { readSession } from '../api/session.ts';
import { notify } from '../ui/notify.tsx';

export const useSettings = () => useRead(organizationApi.settings, {});

/** Open pages follow at once: formats, intervals and links are read from the session (screens 12.3). */
export const useSaveSettings = () =>
  useWrite(organizationApi.saveSettings, {
    refresh: [organizationApi.settings],
    saved: 'Settings changes saved.',
    // The title is A8's text, the detail is the server's reason.
    failed: (error) => {
      notify.error('Failed saving changes.', { description: error.message });
      return null;
    },
    onDone: () => readSession(),
  });
