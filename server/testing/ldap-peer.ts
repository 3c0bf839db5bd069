import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../start/ports.ts';
import { until } from './until.ts';

const slapd = ['/usr/sbin/slapd', '/usr/lib/openldap/slapd'].find((path) => existsSync(path));

/** The name of the missing program, which the suite shows in its name. */
export const missingSlapd = slapd ? undefined : 'slapd';

export interface LdapPeer {
  url: string;
  /** Encrypted from the start, with a certificate for `localhost` and 127.0.0.1 that `ca` signed. */
  tlsUrl: string;
  ca: string;
  bindDn: string;
  bindPassword: string;
  searchDn: string;
  stop(): void;
}

const suffix = 'dc=example,dc=com';

const person = (uid: string, mail: string, name: string, password: string) => `
dn: uid=${uid},ou=people,${suffix}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${name}
sn: ${name.split(' ').at(-1)}
displayName: ${name}
mail: ${mail}
userPassword: ${password}
`;

/** OpenLDAP's server on a folder of its own, with two people. */
export async function ldapPeer(): Promise<LdapPeer> {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-slapd-'));
  mkdirSync(join(folder, 'data'));
  const bindDn = `cn=admin,${suffix}`;
  const bindPassword = 'directory password';
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`);
  const { ca } = certify(folder);
  const config = join(folder, 'slapd.conf');
  writeFileSync(
    config,
    [
      ...schemas,
      `pidfile ${folder}/slapd.pid`,
      `TLSCACertificateFile ${folder}/ca.pem`,
      `TLSCertificateFile ${folder}/server.pem`,
      `TLSCertificateKeyFile ${folder}/server.key`,
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      'database mdb',
      `suffix "${suffix}"`,
      `rootdn "${bindDn}"`,
      `rootpw "${bindPassword}"`,
      `directory ${folder}/data`,
      'access to attrs=userPassword by anonymous auth by * none',
      'access to * by * read',
      '',
    ].join('\n'),
  );
  const entries = join(folder, 'people.ldif');
  const parts = [
    `dn: ${suffix}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n`,
    `dn: ou=people,${suffix}\nobjectClass: organizationalUnit\nou: people\n`,
    person('grace', 'grace@example.com', 'Grace Hopper', 'a directory password'),
    person('mallory', 'mallory@example.com', 'Mallory', 'another password'),
  ];
  writeFileSync(entries, parts.map((part) => part.trim()).join('\n\n'));
  execFileSync(slapd ?? '', ['-T', 'add', '-f', config, '-l', entries], { stdio: 'pipe' });
  const [port, tlsPort] = [await freePort(), await freePort()];
  const listeners = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`;
  const server = spawn(slapd ?? '', ['-f', config, '-h', listeners, '-d', '0'], { stdio: 'ignore' });
  const stop = () => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  if (!(await until(() => isOpen(port), Boolean))) {
    stop();
    throw new Error('slapd did not start.');
  }
  const tlsUrl = `ldaps://localhost:${tlsPort}`;
  return { url: `ldap://127.0.0.1:${port}`, tlsUrl, ca, bindDn, bindPassword, searchDn: `ou=people,${suffix}`, stop };
}

/** An authority of our own, and a certificate of it for this server. */
function certify(folder: string): { ca: string } {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...fresh, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
  openssl('req', ...fresh, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'],
    ...['-extfile', 'names', '-out', 'server.pem'],
  );
  return { ca: readFileSync(join(folder, 'ca.pem'), 'utf8') };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
