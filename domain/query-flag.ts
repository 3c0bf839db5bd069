import { z } from 'zod';

const yes = ['true', 't', 'yes', 'y', 'on', '1'];
const no = ['false', 'f', 'no', 'n', 'off', '0'];

/** A boolean in a query string, in any spelling that clients of the upstream API send; anything else is refused. */
export const QueryFlag = z.union([z.string(), z.boolean()]).transform((given, check) => {
  const word = String(given).trim().toLowerCase();
  if (!yes.includes(word) && !no.includes(word)) check.addIssue({ code: 'custom', message: 'must be true or false' });
  return yes.includes(word);
});
