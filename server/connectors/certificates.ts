import { createPrivateKey, X509Certificate } from 'node:crypto';
import { QueryError } from './connector.ts';

/** Certificate files in the settings of a source, base64. */
export interface CertificateFiles {
  root: string | undefined;
  client: string | undefined;
  key: string | undefined;
}

/** Decodes the files for a TLS connection and checks them: TLS silently ignores an unreadable root certificate. */
export function certificatesIn({ root, client, key }: CertificateFiles) {
  const isCertificate = (pem: string) => void new X509Certificate(pem);
  return {
    ca: read(root, isCertificate, 'The SSL root certificate is not a certificate in PEM form.'),
    cert: read(client, isCertificate, 'The SSL client certificate is not a certificate in PEM form.'),
    key: read(key, createPrivateKey, 'The SSL client key cannot be read. It has to be in PEM form, without a passphrase.'),
  };
}

function read(base64: string | undefined, check: (pem: string) => unknown, complaint: string): string | undefined {
  if (!base64) return undefined;
  const pem = Buffer.from(base64, 'base64').toString('utf8');
  try {
    check(pem);
    return pem;
  } catch (cause) {
    throw new QueryError(complaint, {}, cause);
  }
}
