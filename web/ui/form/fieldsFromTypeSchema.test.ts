import { secretMask, type TypeSchema } from '@telltale/domain/forms/type-schema.ts';
import { expect, test } from 'vitest';
import { initialValues } from './field.ts';
import { fieldsFromTypeSchema, hasChangedExtras, humanised } from './fieldsFromTypeSchema.ts';
import { payloadOf } from './payload.ts';

const postgres: TypeSchema = {
  type: 'object',
  properties: {
    sslmode: {
      type: 'string',
      title: 'SSL Mode',
      extendedEnum: [
        { value: 'disable', name: 'Disable' },
        { value: 'require', name: 'Require' },
      ],
    },
    dbname: { type: 'string', title: 'Database Name' },
    password: { type: 'string' },
    user: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'number', default: 5432 },
    sslcertFile: { type: 'string', title: 'SSL Client Certificate' },
    allow_writes: { type: 'boolean', title: 'Allow writes', default: false, info: 'Off: every query runs read-only.' },
  },
  required: ['dbname', 'port'],
  secret: ['password', 'sslcertFile'],
  order: ['host', 'port', 'user', 'password', 'gone'],
  extra_options: ['sslmode', 'sslcertFile', 'allow_writes'],
};

const fields = (schema: TypeSchema = postgres, target = {}) => fieldsFromTypeSchema(schema, { typeName: 'PostgreSQL', ...target });
const field = (name: string, schema: TypeSchema = postgres, target = {}) => fields(schema, target).find((f) => f.name === name);

test('screens 12.1: the name first, then the order of the schema, then the rest', () => {
  expect(fields().map((f) => f.name)).toEqual([
    'name',
    'host',
    'port',
    'user',
    'password',
    'sslmode',
    'dbname',
    'sslcertFile',
    'allow_writes',
  ]);
});

test('the name is required, proposes "My {type name}" and is focused only when new', () => {
  expect(field('name')).toMatchObject({ required: true, placeholder: 'My PostgreSQL', autoFocus: true, initialValue: '' });
  expect(field('name', postgres, { id: 3, name: 'Plant' })).toMatchObject({ autoFocus: false, initialValue: 'Plant' });
});

test('A5: the type of a field follows the schema', () => {
  const types = Object.fromEntries(fields().map((f) => [f.name, f.type]));
  expect(types).toMatchObject({
    host: 'text',
    port: 'number',
    password: 'password',
    sslmode: 'select',
    sslcertFile: 'file',
    allow_writes: 'checkbox',
  });
  expect(field('token', { type: 'object', properties: { token: { type: 'string' } }, secret: ['token'] })?.type).toBe('password');
  expect(field('passwd', { type: 'object', properties: { passwd: { type: 'string' } } })?.type).toBe('password');
});

test('a text of several lines gets room for them; a secret one is masked and keeps its dashes', () => {
  const graphql: TypeSchema = {
    type: 'object',
    properties: { headers: { type: 'string', multiline: true }, note: { type: 'string', multiline: true } },
    secret: ['headers'],
  };
  expect(field('note', graphql)?.type).toBe('textarea');
  const saved = fields(graphql, { id: 1, name: 'API', options: { headers: secretMask } });
  expect(saved.find(({ name }) => name === 'headers')).toMatchObject({ type: 'secret-area', initialValue: secretMask });
  expect(payloadOf(saved, initialValues(saved))).toMatchObject({ headers: secretMask });
  const lines = 'Authorization: Bearer x\nX-Tenant: 7';
  expect(payloadOf(saved, { ...initialValues(saved), headers: lines })).toMatchObject({ headers: lines });
});

test('the label is the title or the key made readable', () => {
  expect(field('dbname')?.title).toBe('Database Name');
  expect(humanised('use_ssl')).toBe('Use Ssl');
  expect(humanised('jsonKeyFile')).toBe('Json Key File');
});

test('a default is the placeholder; a required field starts with it', () => {
  expect(field('host')).toMatchObject({ placeholder: '127.0.0.1', initialValue: undefined });
  expect(field('port')).toMatchObject({ placeholder: '5432', initialValue: 5432 });
});

test('a select starts with the default or the first choice, but never changes a saved item', () => {
  expect(field('sslmode')?.initialValue).toBe('disable');
  expect(field('sslmode', postgres, { id: 1, options: {} })?.initialValue).toBeUndefined();
  const numbers: TypeSchema = { type: 'object', properties: { level: { type: 'number', enum: [1, 2, 3], default: 2 } } };
  expect(field('level', numbers)).toMatchObject({ initialValue: 2, options: [1, 2, 3].map((value) => ({ value, name: String(value) })) });
});

test('saved options win, false included; a saved secret stays its dashes', () => {
  const target = { id: 1, options: { host: 'db', port: 1, password: secretMask, allow_writes: false } };
  const values = Object.fromEntries(fields(postgres, target).map((f) => [f.name, f.initialValue]));
  expect(values).toMatchObject({ host: 'db', port: 1, password: secretMask, allow_writes: false });
});

test('a checkbox that was never stored starts at its default, new or saved: renaming a source does not turn its TLS check off', () => {
  const web: TypeSchema = {
    type: 'object',
    properties: { base_url: { type: 'string' }, verify: { type: 'boolean', default: true }, use_ssl: { type: 'boolean', default: false } },
    extra_options: ['verify', 'use_ssl'],
  };
  const target = { id: 1, name: 'Weather', options: { base_url: 'https://example.com' } };
  const saved = fields(web, target);
  expect(payloadOf(saved, { ...initialValues(saved), name: 'Renamed' })).toMatchObject({ name: 'Renamed', verify: true, use_ssl: false });
  expect(field('verify', web, { id: 1, options: { verify: false } })?.initialValue).toBe(false);
  expect(hasChangedExtras(web, { typeName: 'JSON', ...target })).toBe(false);
});

test('extra options are folded, and open on edit when one differs from its default', () => {
  expect(
    fields()
      .filter((f) => f.extra)
      .map((f) => f.name),
  ).toEqual(['sslmode', 'sslcertFile', 'allow_writes']);
  const changed = (options: Record<string, unknown>, id: number | null = 1) =>
    hasChangedExtras(postgres, { typeName: 'PostgreSQL', id, options });
  expect(changed({ host: 'db', allow_writes: false })).toBe(false);
  expect(changed({ allow_writes: true })).toBe(true);
  expect(changed({ sslmode: 'require' })).toBe(true);
  expect(changed({ allow_writes: true }, null)).toBe(false);
});

test('the sentence of a property stands under its field', () => {
  expect(field('allow_writes')?.info).toBe('Off: every query runs read-only.');
});

test('an example is shown where there is no default, and a number keeps its range', () => {
  const schema: TypeSchema = {
    type: 'object',
    properties: {
      url: { type: 'string', example: 'http://127.0.0.1:9090' },
      host: { type: 'string', default: '127.0.0.1', example: 'db.example.com' },
      port: { type: 'number', default: 5432, minimum: 1, maximum: 65_535, multipleOf: 1 },
    },
  };
  expect(field('url', schema)).toMatchObject({ placeholder: 'http://127.0.0.1:9090' });
  expect(field('host', schema)).toMatchObject({ placeholder: '127.0.0.1' });
  expect(field('port', schema)).toMatchObject({ range: { min: 1, max: 65_535 }, isWhole: true });
});
