import { useLocation, useNavigate } from 'react-router';

/** The state of a navigation from the list to its dialog: Back then leads to the list. */
export const fromList = { isFromList: true };

interface DialogAddresses {
  list: string;
  /** Addresses at which the dialog is open; a click goes to the first one. */
  dialog: readonly [string, ...string[]];
}

/** A dialog of a list page with an address of its own: Back closes it, and from the new item Back leads to the list. */
export function useDialogAddress({ list, dialog }: DialogAddresses) {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  return {
    isOpen: dialog.includes(pathname),
    open: () => navigate({ pathname: dialog[0], search }, { state: fromList }),
    /** Closes with the id of the new item, or with null where the dialog was dismissed. */
    close: async (createdId: number | null) => {
      if (state?.isFromList) return createdId === null ? navigate(-1) : navigate(`${list}/${createdId}`, { replace: true });
      await navigate({ pathname: list, search }, { replace: true });
      if (createdId !== null) navigate(`${list}/${createdId}`);
    },
  };
}
