import type { Field } from '../ui/form/field.ts';

/** Changing how users sign in needs proof that the user is present. */
export const proofField: Field = {
  name: 'old_password',
  title: 'Your current password',
  type: 'password',
  required: true,
  autoComplete: 'current-password',
};
