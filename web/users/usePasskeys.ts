import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { factorsApi } from '@telltale/domain/users/factors-contract.ts';
import { call } from '../api/call.ts';
import { useRead, useWrite } from '../api/query.ts';

export const usePasskeys = (id: number) => useRead(factorsApi.passkeys, { params: { id } });

export const useRemovePasskey = () => useWrite(factorsApi.removePasskey, { refresh: [factorsApi.passkeys], saved: 'Passkey removed.' });

export const useAddPasskey = () =>
  useWrite(factorsApi.addPasskey, { refresh: [factorsApi.passkeys], saved: 'Passkey added.', failed: false });

/** Requests a new passkey from the browser, which shows a window of its own for that. */
export async function createCredential(userId: number, old_password: string): Promise<Record<string, unknown>> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { options } = await call(factorsApi.passkeyOptions, { params: { id: userId }, body: { old_password } });
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await startRegistration({ optionsJSON })) };
}
