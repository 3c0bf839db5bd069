import type { Profile } from '@node-saml/node-saml';
import { forbidden } from '../../platform/errors.ts';
import type { ExternalPerson } from '../external-account.ts';

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

type Node = { $?: Record<string, string>; [name: string]: unknown };
const childrenOf = (node: Node | undefined, name: string): Node[] => (Array.isArray(node?.[name]) ? (node[name] as Node[]) : []);

/**
 * Returns the id of the request that the signed assertion answers. The library reads it from the response, which need not be signed; only
 * the signed part proves that the assertion was made for this request and this address.
 */
export function requireBearer(profile: Profile, callback: string): string {
  const { Assertion } = (profile.getAssertion?.() ?? {}) as { Assertion?: Node };
  const [subject] = childrenOf(Assertion, 'Subject');
  const confirmed = childrenOf(subject, 'SubjectConfirmation')
    .filter((confirmation) => confirmation.$?.Method === bearer)
    .flatMap((confirmation) => childrenOf(confirmation, 'SubjectConfirmationData'))
    .find((data) => data.$?.Recipient === callback && data.$?.InResponseTo !== undefined && data.$.InResponseTo === profile.inResponseTo);
  const requestId = confirmed?.$?.InResponseTo;
  if (!requestId || !confirmed?.$?.NotOnOrAfter) throw forbidden('The sign-in provider’s answer is not for this sign-in.');
  return requestId;
}

const emailAttributes = [
  'email',
  'mail',
  'Email',
  'EmailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

/** server-behaviour 3.8: the name id is the e-mail address, first and last name form the name, an attribute lists the groups. */
export function samlPerson(profile: Profile, groupsAttribute: string): ExternalPerson {
  const attributes = (profile.attributes ?? {}) as Record<string, unknown>;
  const textOf = (name: string) => {
    const [value] = [attributes[name]].flat();
    return typeof value === 'string' ? value.trim() : '';
  };
  const named = profile.nameID?.includes('@') ? profile.nameID : '';
  const email = named || emailAttributes.map(textOf).find((value) => value.includes('@')) || '';
  const groups = attributes[groupsAttribute];
  return {
    email: email.trim(),
    name: [textOf('FirstName'), textOf('LastName')].filter(Boolean).join(' ') || textOf('displayName') || textOf('name'),
    groups: groups === undefined ? undefined : [groups].flat().filter((group) => typeof group === 'string'),
    isNewcomerAllowed: true,
  };
}
