import { excessWarning } from '../connector.ts';
import type { MysqlSession } from './session.ts';

const abilities: Record<string, string> = { FILE: 'read and write files', SUPER: 'change the settings and stop the work of others' };

/** Returns the rights of this account, direct or by role, beyond reading tables (security 6). */
export async function readExcess(session: MysqlSession): Promise<string | undefined> {
  const grants = (await session.rows('show grants')).map(([grant]) => /^GRANT (.+?) ON \*\.\* TO /i.exec(grant ?? '')?.[1] ?? '');
  const rights = new Set(grants.flatMap((list) => list.toUpperCase().split(/,\s*/)));
  const isAll = rights.has('ALL PRIVILEGES');
  const granted = Object.keys(abilities).filter((right) => isAll || rights.has(right));
  return excessWarning(
    granted.map((right) => abilities[right] ?? ''),
    isAll ? 'it has all privileges' : granted.join(', '),
  );
}
