import { identifierFault } from '@telltale/domain/channels/identifiers.ts';
import type { Field } from '../ui/form/field.ts';

/** D5: faults are shown while one types. */
export const identifierField = (name: string, title: string, placeholder: string): Field => ({
  name,
  title,
  type: 'text',
  required: true,
  placeholder,
  autoFocus: true,
  autoComplete: 'off',
  info: 'Lowercase letters and digits, single hyphens between them. It cannot be changed later.',
  fault: (value) => identifierFault(String(value ?? '').trim()),
});
