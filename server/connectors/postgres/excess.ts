import { excessWarning } from '../connector.ts';
import type { PostgresSession } from './session.ts';

const abilities: Record<string, string> = {
  pg_read_server_files: 'read files',
  pg_write_server_files: 'write files',
  pg_execute_server_program: 'run programs',
};

const text = `
  select rolsuper, rolname from pg_roles
  where (rolsuper and rolname = current_user)
    or (rolname in (${Object.keys(abilities).map((role) => `'${role}'`)}) and pg_has_role(oid, 'member'))`;

/** Returns the rights of this role beyond reading tables (security 6). */
export async function readExcess(session: PostgresSession): Promise<string | undefined> {
  const roles: string[] = [];
  let isSuperuser = false;
  await session.query(text, {
    row: ([isSuper, name]) => {
      if (name && name in abilities) roles.push(name);
      isSuperuser ||= isSuper === 't';
      return true;
    },
  });
  if (isSuperuser) return excessWarning(Object.values(abilities), 'it is a superuser');
  const granted = Object.keys(abilities).filter((role) => roles.includes(role));
  return excessWarning(
    granted.map((role) => abilities[role] ?? ''),
    granted.join(', '),
  );
}
