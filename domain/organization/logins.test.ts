import { expect, test } from 'vitest';
import { isAnyLoginLeft } from './logins.ts';
import { defaultSettings, type OrganizationSettings } from './settings.ts';

const off = { auth_password_login_enabled: false };
const jwt = {
  auth_jwt_login_enabled: true,
  auth_jwt_auth_issuer: 'https://proxy.example.com',
  auth_jwt_auth_audience: 'console',
  auth_jwt_auth_public_certs_url: 'https://proxy.example.com/certs',
  auth_jwt_auth_header_name: 'x-token',
};

test.each<[Partial<OrganizationSettings>, boolean]>([
  [{}, true],
  [off, false],
  [{ ...off, auth_saml_enabled: true }, false],
  [{ ...off, auth_saml_enabled: true, auth_saml_metadata_url: 'https://idp.example.com/metadata' }, true],
  [{ ...off, auth_saml_enabled: false, auth_saml_metadata_url: 'https://idp.example.com/metadata' }, false],
  [{ ...off, auth_saml_enabled: true, auth_saml_type: 'static', auth_saml_sso_url: 'https://idp.example.com/sso' }, false],
  [{ ...off, auth_saml_enabled: true, auth_saml_type: 'static', auth_saml_sso_url: 'https://i/sso', auth_saml_x509_cert: 'MII' }, true],
  [{ ...off, auth_google_enabled: true, auth_google_client_id: 'id' }, false],
  [{ ...off, auth_google_enabled: true, auth_google_client_id: 'id', auth_google_client_secret: 's' }, true],
  [{ ...off, auth_oidc_enabled: true, auth_oidc_issuer: 'https://idp.example.com', auth_oidc_client_id: 'id' }, true],
  [{ ...off, auth_ldap_enabled: true, auth_ldap_url: 'ldap://ldap.example.com' }, false],
  [{ ...off, auth_ldap_enabled: true, auth_ldap_url: 'ldap://ldap.example.com', auth_ldap_search_dn: 'dc=example' }, true],
  [{ ...off, auth_jwt_login_enabled: true }, false],
  [{ ...off, ...jwt }, true],
  [{ ...off, ...jwt, auth_jwt_login_enabled: false }, false],
  [{ ...off, ...jwt, auth_jwt_auth_audience: '' }, false],
  [{ ...off, ...jwt, auth_jwt_auth_header_name: '' }, false],
  [{ ...off, ...jwt, auth_jwt_auth_header_name: '', auth_jwt_auth_cookie_name: 'token' }, true],
  [{ ...off, ...jwt, auth_jwt_auth_algorithms: ['HS256'] }, false],
])('A4: with %j somebody can come in: %s', (settings, expected) => {
  expect(isAnyLoginLeft({ ...defaultSettings, ...settings })).toBe(expected);
});
