import type { OrganizationSettings } from '@telltale/domain/organization/settings.ts';
import type { Element } from '@xmldom/xmldom';
import type { HttpCtx } from '../../platform/http/http.ts';
import { guardedFetch } from '../guarded-fetch.ts';

/** The facts that a sign-in needs about an identity provider. */
export interface IdentityProvider {
  entryPoint: string;
  certificates: string[];
  /** Undefined when the settings do not contain it. */
  entityId: string | undefined;
}

const metadataNs = 'urn:oasis:names:tc:SAML:2.0:metadata';
const signatureNs = 'http://www.w3.org/2000/09/xmldsig#';
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

const kept = new Map<string, { until: number; provider: IdentityProvider }>();
const keptMs = 10 * 60_000;

/** Reads the provider from its metadata address (`dynamic`) or from the settings (`static`). */
export async function identityProvider(ctx: HttpCtx, settings: OrganizationSettings): Promise<IdentityProvider> {
  if (settings.auth_saml_type === 'static')
    return { entryPoint: settings.auth_saml_sso_url, certificates: [certificateOf(settings.auth_saml_x509_cert)], entityId: undefined };
  const address = settings.auth_saml_metadata_url;
  const known = kept.get(address);
  if (known && known.until > Date.now()) return known.provider;
  const reply = await guardedFetch(ctx, address, { headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' } });
  if (!reply.ok) throw new Error(`The metadata address answered ${reply.status}.`);
  const provider = await readMetadata(await reply.text());
  if (kept.size > 100) kept.clear();
  kept.set(address, { until: Date.now() + keptMs, provider });
  return provider;
}

export const forgetMetadata = (settings: OrganizationSettings) => kept.delete(settings.auth_saml_metadata_url);

const certificateOf = (text: string) => text.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, '');

async function readMetadata(xml: string): Promise<IdentityProvider> {
  const { DOMParser } = await import('@xmldom/xmldom');
  // DOCTYPE is refused: it could define entities, and no metadata needs one.
  if (/<!DOCTYPE/i.test(xml)) throw new Error('The metadata has a document type.');
  const document = new DOMParser({
    onError: (level, message) => {
      if (level !== 'warning') throw new Error(`The metadata cannot be read: ${message}`);
    },
  }).parseFromString(xml, 'text/xml');
  const [descriptor] = elements(document.documentElement, metadataNs, 'IDPSSODescriptor');
  const owner = descriptor?.parentNode as Element | null | undefined;
  if (!descriptor || !owner) throw new Error('The metadata names no identity provider.');
  const service = elements(descriptor, metadataNs, 'SingleSignOnService').find((one) => one.getAttribute('Binding') === redirectBinding);
  const entryPoint = service?.getAttribute('Location') ?? '';
  if (!/^https?:/.test(URL.parse(entryPoint)?.protocol ?? '')) throw new Error('The metadata names no address for sign-in by redirect.');
  const certificates = elements(descriptor, metadataNs, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => elements(key, signatureNs, 'X509Certificate'))
    .map((certificate) => certificateOf(certificate.textContent ?? ''))
    .filter(Boolean);
  if (certificates.length === 0) throw new Error('The metadata names no certificate.');
  return { entryPoint, certificates, entityId: owner.getAttribute('entityID') ?? undefined };
}

function elements(parent: Element | null, namespace: string, name: string): Element[] {
  return parent ? [...parent.getElementsByTagNameNS(namespace, name)] : [];
}
