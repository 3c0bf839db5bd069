import { secretMask, type TypeSchema, type TypeSchemaProperty } from '@telltale/domain/forms/type-schema.ts';
import type { Field, FieldOption, FieldType, FieldValue } from './field.ts';

/** The object of the form: a saved item has an id, a new one only the name of its kind. */
export interface SchemaTarget {
  typeName: string;
  id?: number | null;
  name?: string;
  options?: Readonly<Record<string, unknown>>;
}

/** A5 and screens 12.1: the form of a data source or destination, drawn from the schema of its kind. */
export function fieldsFromTypeSchema(schema: TypeSchema, target: SchemaTarget): Field[] {
  return [nameField(target), ...orderedNames(schema).map((name) => schemaField(name, schema, target))];
}

/** Whether the folded part is open at first: when editing, if any of it differs from its default. */
export function hasChangedExtras(schema: TypeSchema, target: SchemaTarget): boolean {
  if (target.id == null) return false;
  return (schema.extra_options ?? []).some((name) => {
    const property = schema.properties[name];
    const saved = savedValue(target, name);
    return property !== undefined && !isBlank(saved) && saved !== (property.default ?? (property.type === 'boolean' ? false : undefined));
  });
}

function nameField({ typeName, id, name }: SchemaTarget): Field {
  return {
    name: 'name',
    title: 'Name',
    type: 'text',
    required: true,
    initialValue: name ?? '',
    placeholder: `My ${typeName}`,
    autoFocus: id == null,
    autoComplete: 'off',
  };
}

function schemaField(name: string, schema: TypeSchema, target: SchemaTarget): Field {
  const property = schema.properties[name] as TypeSchemaProperty;
  const type = fieldType(name, property, schema);
  const options = fieldOptions(property);
  const required = schema.required?.includes(name) ?? false;
  const { minimum: min, maximum: max } = property;
  return {
    name,
    title: property.title ?? humanised(name),
    type,
    required,
    initialValue: initialValue(type, required, property, options, target, name),
    placeholder: type === 'checkbox' || property.default === undefined ? property.example : String(property.default),
    extra: schema.extra_options?.includes(name) ?? false,
    autoComplete: type === 'password' ? 'new-password' : 'off',
    ...(options && { options }),
    ...(property.info && { info: property.info }),
    ...(property.minLength !== undefined && { minLength: property.minLength }),
    ...(min !== undefined && max !== undefined && { range: { min, max } }),
    ...(property.multipleOf === 1 && { isWhole: true }),
  };
}

function fieldType(name: string, property: TypeSchemaProperty, schema: TypeSchema): FieldType {
  if (name.endsWith('File')) return 'file';
  if (property.type === 'boolean') return 'checkbox';
  if (property.enum?.length || property.extendedEnum?.length) return 'select';
  const isSecret = schema.secret?.includes(name) || name === 'password' || name === 'passwd';
  if (property.multiline) return isSecret ? 'secret-area' : 'textarea';
  if (isSecret) return 'password';
  return property.type === 'number' ? 'number' : 'text';
}

function fieldOptions({ enum: values, extendedEnum }: TypeSchemaProperty): FieldOption[] | undefined {
  if (extendedEnum?.length) return extendedEnum;
  return values?.length ? values.map((value) => ({ value, name: String(value) })) : undefined;
}

/**
 * A saved value wins. A check box cannot be "not given": one that was never stored starts at its default, because the server reads it so. A
 * new item starts with required values: the first choice of a list and the default of a required field; any other default is only the
 * placeholder.
 */
function initialValue(
  type: FieldType,
  required: boolean,
  property: TypeSchemaProperty,
  options: FieldOption[] | undefined,
  target: SchemaTarget,
  name: string,
): FieldValue {
  const saved = savedValue(target, name);
  if (saved !== undefined && saved !== null) return saved;
  if (type === 'checkbox') return property.default === true;
  if (target.id != null) return undefined;
  if (type === 'select') return chosen(property.default) ?? options?.[0]?.value;
  return required && type !== 'file' ? property.default : undefined;
}

function savedValue({ options }: SchemaTarget, name: string): FieldValue {
  const value = options?.[name];
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return undefined;
}

const chosen = (value: FieldValue) => (typeof value === 'boolean' ? undefined : value);
const isBlank = (value: FieldValue) => value === undefined || value === null || value === '' || value === secretMask;

/** The names in `order` first, the others as the schema lists them; unknown names are left out. */
function orderedNames({ order = [], properties }: TypeSchema): string[] {
  return [...new Set([...order, ...Object.keys(properties)])].filter((name) => name in properties);
}

/** `use_ssl` → Use Ssl, `dbname` → Dbname, `sslmodeCertFile` → Sslmode Cert File. */
export function humanised(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[_\-\s]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
