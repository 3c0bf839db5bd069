import { execFileSync } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findProgram, type Program, startProgram } from './program.ts';

/** Debian's package `mariadb-server` contains both programs. */
const [server, installer] = ['mariadbd', 'mariadb-install-db'].map(findProgram);
export const missingMariadb = server && installer ? undefined : 'mariadbd (Debian: mariadb-server)';

/**
 * Starts MariaDB with an account `root` without a password. Under the machine's root it runs as nobody, because it refuses to run as root.
 */
export function startMariadb(...settings: string[]): Promise<Program> {
  const user = process.getuid?.() === 0 ? 'nobody' : undefined;
  const asUser = user ? [`--user=${user}`] : [];
  return startProgram(
    server ?? '',
    async ({ port, folder }) => {
      const [data, temporary] = [join(folder, 'data'), join(folder, 'tmp')];
      for (const path of [data, temporary]) await mkdir(path);
      if (user) {
        const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, user])));
        for (const path of [folder, data, temporary]) await chown(path, uid ?? 0, gid ?? 0);
      }
      const place = ['--no-defaults', `--datadir=${data}`, ...asUser];
      execFileSync(installer ?? '', [...place, '--auth-root-authentication-method=normal', '--skip-test-db'], { stdio: 'ignore' });
      return [
        ...[...place, `--tmpdir=${temporary}`, `--socket=${join(folder, 'socket')}`],
        ...['--bind-address=127.0.0.1', `--port=${port}`, '--skip-name-resolve', '--innodb-flush-log-at-trx-commit=0'],
        ...settings,
      ];
    },
    isListening,
  );
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => resolve(true)).once('error', () => resolve(false));
    socket.once('data', () => socket.destroy());
  });
