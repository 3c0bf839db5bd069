import { minPasswordLength } from '@telltale/domain/users/contract.ts';
import type { Field } from '../ui/form/field.ts';

/** A5: all three are required, the new ones have a minimum length, the current one has none. */
export const passwordFields: readonly Field[] = [
  {
    name: 'old_password',
    title: 'Current Password',
    type: 'password',
    required: true,
    autoFocus: true,
    autoComplete: 'current-password',
  },
  {
    name: 'password',
    title: 'New Password',
    type: 'password',
    required: true,
    minLength: minPasswordLength,
    autoComplete: 'new-password',
  },
  {
    name: 'repeated',
    title: 'Repeat New Password',
    type: 'password',
    required: true,
    minLength: minPasswordLength,
    autoComplete: 'new-password',
    fault: (value, { password }) => (value === password ? null : "Passwords don't match"),
  },
];
