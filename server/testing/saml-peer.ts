import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { selfSigned } from '../connectors/testing/self-signed.ts';

interface Said {
  requestId: string;
  acs: string;
  audience: string;
  email: string;
  attributes?: Record<string, string | string[]>;
  issuer?: string;
  recipient?: string;
  /** Seconds from now. */
  expires?: number;
  /** The request id in the unsigned response, if it differs from the assertion. */
  outerRequestId?: string;
  isSigned?: boolean;
  key?: string;
}

export interface SamlPeer {
  url: string;
  entityId: string;
  settings: Record<string, unknown>;
  /** The response, base64 as it is posted. */
  respond(said: Said): string;
  /** The response as text, for tests that change it. */
  responseXml(said: Said): string;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** An identity provider that speaks SAML 2.0 over HTTP and signs with a real key. */
export async function samlPeer(person: { email: string; attributes?: Record<string, string | string[]> }): Promise<SamlPeer> {
  const { key, cert } = selfSigned('idp.example.com', 'rsa');
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', peer.url);
    if (url.pathname === '/metadata') {
      response.setHeader('content-type', 'application/samlmetadata+xml');
      return response.end(metadata());
    }
    // Browsers also request an icon.
    if (url.pathname !== '/sso') return response.writeHead(404).end();
    const { requestId, acs, audience } = readRequest(url.href);
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><body onload="document.forms[0].submit()"><form method="post" action="${escaped(acs)}">
      <input type="hidden" name="SAMLResponse" value="${peer.respond({ requestId, acs, audience, ...person })}"><button>Continue</button></form>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entityId = `${url}/metadata`;
  const metadata = () => `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
 <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
  <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
${cert.replace(/-----[A-Z ]+-----/g, '').trim()}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
  <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${url}/sso"/>
 </md:IDPSSODescriptor></md:EntityDescriptor>`;
  const peer: SamlPeer = {
    url,
    entityId,
    settings: { auth_saml_enabled: true, auth_saml_metadata_url: `${url}/metadata` },
    responseXml: (said) => responseXml({ issuer: entityId, ...said }, said.key ?? key, cert),
    respond: (said) => Buffer.from(peer.responseXml(said)).toString('base64'),
  };
  return peer;
}

/** The request of a service provider, from the address it sends the browser to. */
export function readRequest(address: string): { requestId: string; acs: string; audience: string } {
  const packed = new URL(address).searchParams.get('SAMLRequest') ?? '';
  const xml = inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8');
  const found = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
  return {
    requestId: found(/\bID="([^"]+)"/),
    acs: found(/AssertionConsumerServiceURL="([^"]+)"/),
    audience: found(/<(?:\w+:)?Issuer[^>]*>([^<]+)</),
  };
}

function responseXml(said: Said & { issuer: string }, key: string, cert: string): string {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const until = at(said.expires ?? 300);
  const attributes = Object.entries(said.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escaped(name)}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${said.email}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${said.requestId}" Recipient="${escaped(said.recipient ?? said.acs)}" NotOnOrAfter="${until}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-60)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${escaped(said.audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"/>${attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion>`;
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}" Destination="${escaped(said.acs)}" InResponseTo="${said.outerRequestId ?? said.requestId}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${said.isSigned === false ? assertion : signed(assertion, key, cert)}</samlp:Response>`;
}

function signed(assertion: string, key: string, cert: string): string {
  const signature = new SignedXml({
    privateKey: key,
    publicCert: cert,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.addReference({
    xpath: "/*[local-name(.)='Assertion']",
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  });
  signature.computeSignature(assertion, { location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' } });
  return signature.getSignedXml();
}
