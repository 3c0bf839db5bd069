import type { OrganizationSettings } from './settings.ts';

/** Algorithms whose tokens a public key verifies; HS256 may stand in the setting and has no effect. */
export const publicKeyAlgorithms = ['RS256', 'ES256'] as const;
export type PublicKeyAlgorithm = (typeof publicKeyAlgorithms)[number];

/** A4: sign-in methods beside the password. */
export interface OtherLogins {
  google: boolean;
  oidc: boolean;
  saml: boolean;
  ldap: boolean;
  /** A token of a proxy in front; it has no button. */
  jwt: boolean;
}

/** A method counts when it is switched on and completely configured. */
export function otherLogins(settings: OrganizationSettings): OtherLogins {
  const isSamlComplete =
    settings.auth_saml_type === 'static'
      ? Boolean(settings.auth_saml_sso_url && settings.auth_saml_x509_cert)
      : Boolean(settings.auth_saml_metadata_url);
  // Without an audience a token for any other application of the proxy would do.
  const isJwtComplete =
    Boolean(settings.auth_jwt_auth_issuer && settings.auth_jwt_auth_audience && settings.auth_jwt_auth_public_certs_url) &&
    Boolean(settings.auth_jwt_auth_cookie_name || settings.auth_jwt_auth_header_name) &&
    settings.auth_jwt_auth_algorithms.some((algorithm) => publicKeyAlgorithms.includes(algorithm as PublicKeyAlgorithm));
  return {
    google: settings.auth_google_enabled && Boolean(settings.auth_google_client_id && settings.auth_google_client_secret),
    oidc: settings.auth_oidc_enabled && Boolean(settings.auth_oidc_issuer && settings.auth_oidc_client_id),
    saml: settings.auth_saml_enabled && isSamlComplete,
    ldap: settings.auth_ldap_enabled && Boolean(settings.auth_ldap_url && settings.auth_ldap_search_dn),
    jwt: settings.auth_jwt_login_enabled && isJwtComplete,
  };
}

export const hasOtherLogin = (settings: OrganizationSettings): boolean => Object.values(otherLogins(settings)).some(Boolean);

/** A4: whether another method is switched on, also one that is not completely configured yet. */
export const isOtherLoginOn = (settings: Readonly<Partial<Record<keyof OrganizationSettings, unknown>>>): boolean =>
  switches.some((name) => settings[name] === true);
const switches = ['auth_google_enabled', 'auth_oidc_enabled', 'auth_saml_enabled', 'auth_ldap_enabled', 'auth_jwt_login_enabled'] as const;

/** A4: password login may be off only while another method works. */
export const isAnyLoginLeft = (settings: OrganizationSettings): boolean => settings.auth_password_login_enabled || hasOtherLogin(settings);
