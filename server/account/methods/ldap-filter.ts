/** RFC 4515: escapes filter syntax as hex bytes, so that a user name is always treated as a value (security 17). */
const escapeFilterValue = (value: string): string =>
  [...Buffer.from(value, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9@._+ -]/.test(character) ? character : `\\${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

export const ldapFilter = (template: string, username: string): string =>
  template.replaceAll('{username}', () => escapeFilterValue(username));
