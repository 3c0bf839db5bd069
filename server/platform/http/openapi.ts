import type { Endpoint } from '@telltale/domain/endpoint.ts';
import type { z } from 'zod';
import type { PageRoute, RegisteredRoute } from './http.ts';
import { type JsonSchema, NamedSchemas } from './openapi-schemas.ts';

/** The parts of the document beside the routes. */
export interface About {
  title: string;
  version: string;
  /** The address of the API. */
  origin: string;
  /** Names of shapes, so that each is printed once. */
  names: ReadonlyMap<z.ZodType, string>;
}

type Documented = PageRoute & { documented: NonNullable<PageRoute['documented']> };

const isEndpoint = (route: RegisteredRoute): route is Endpoint => 'reply' in route;
const isDocumented = (route: RegisteredRoute): route is Documented => 'documented' in route && route.documented !== undefined;

const fault = (description: string) => ({ description, content: json({ $ref: '#/components/schemas/Fault' }) });
const responses = {
  BadRequest: fault('Something in the request cannot be read or stored; the message says what.'),
  Unauthorized: fault('The key is missing or wrong.'),
  Forbidden: fault('The caller may not do this.'),
  NotFound: fault('There is no such object, or the caller is not signed in.'),
  Conflict: fault('Somebody else changed the object since it was read.'),
  TooLarge: fault('The body is too large.'),
  TooMany: fault('Too many requests; wait and try again.'),
};
const statuses: Record<string, keyof typeof responses> = {
  '400': 'BadRequest',
  '401': 'Unauthorized',
  '403': 'Forbidden',
  '404': 'NotFound',
  '409': 'Conflict',
  '413': 'TooLarge',
  '429': 'TooMany',
};
const faults = Object.fromEntries(Object.entries(statuses).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]));

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Key {your API key}' },
  keyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'The same key where headers cannot be set; addresses end up in logs.',
  },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Writes also send the cookie csrf_token back as X-CSRF-TOKEN.' },
  deviceKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Key {the key of the device or of its channel}' },
};

/** Prints the contract as OpenAPI 3.1, generated from the registered routes. */
export function openApiDocument(routes: readonly RegisteredRoute[], { title, version, origin, names }: About) {
  const schemas = new NamedSchemas(names);
  const paths = new Map<string, { path: string; operations: Record<string, unknown> }>();
  for (const route of routes) {
    if (!isEndpoint(route) && !isDocumented(route)) continue;
    // The router accepts both spellings; the one without a slash at the end is documented.
    const given = route.path.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, '{$1}');
    const shape = given.replace(/\{\w+\}/g, '{}');
    // Two templates of one address would be two addresses: the second uses the parameter names of the first.
    const known = paths.get(shape) ?? { path: given, operations: {} };
    const renamed = new Map(zipped(parameterNames(given), parameterNames(known.path)));
    known.operations[route.method.toLowerCase()] = isEndpoint(route) ? operation(route, schemas, renamed) : deviceOperation(route);
    paths.set(shape, known);
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: 'Everything the console can do. Times are ISO 8601, errors are {message}.',
      license: { name: 'Proprietary', url: `${origin}/api/docs` },
    },
    servers: [{ url: origin }],
    security: [],
    paths: Object.fromEntries([...paths.values()].map(({ path, operations }) => [path, operations])),
    components: {
      securitySchemes,
      schemas: {
        Fault: { type: 'object', properties: { message: { type: 'string' }, code: { type: 'string' } }, required: ['message'] },
        ...schemas.printed(),
      },
      responses,
    },
  };
}

const parameterNames = (path: string): string[] => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
const zipped = (from: string[], to: string[]): [string, string][] => from.map((name, place) => [name, to[place] ?? name]);

/** `GET /api/queries/:id/results` → `getQueriesByIdResults`: short, stable and different for every operation. */
function operationId({ method, path }: Pick<RegisteredRoute, 'method' | 'path'>): string {
  const words = path
    .split(/[/.]/)
    .flatMap((part) => (part === '' || part === 'api' ? [] : part.startsWith(':') ? `By-${part.slice(1)}` : part));
  const pascal = words.flatMap((word) => word.split(/[-_]/)).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + pascal.join('');
}

const tagOf = ({ path }: Pick<RegisteredRoute, 'path'>) => path.split('/').find((part) => part && part !== 'api') ?? 'api';

function operation(endpoint: Endpoint, schemas: NamedSchemas, renamed: ReadonlyMap<string, string>) {
  const success = {
    description: 'Success',
    ...(endpoint.status === 204 ? {} : { content: { ...json(schemas.of(endpoint.reply, 'output')), ...filesOf(endpoint) } }),
  };
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    tags: [tagOf(endpoint)],
    'x-needs': endpoint.needs,
    ...(endpoint.readers ? { 'x-readers': endpoint.readers } : {}),
    security: endpoint.needs === 'anyone' ? [] : [{ key: [] }, { keyInQuery: [] }, { session: [] }],
    parameters: [
      ...parameters('path', endpoint.params, schemas).map((each) => ({ ...each, name: renamed.get(each.name) ?? each.name })),
      ...parameters('query', endpoint.query, schemas).filter(({ name }) => name !== 'api_key'),
    ],
    ...(endpoint.body ? { requestBody: { required: !endpoint.lenientBody, content: json(schemas.of(endpoint.body, 'input')) } } : {}),
    responses: { [String(endpoint.status ?? 200)]: success, ...faults },
  };
}

/** An operation that devices call: the body is bytes in any accepted format. */
function deviceOperation(route: Documented) {
  const { accepts = [], answer, answers = 200 } = route.documented;
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: ['devices'],
    security: [{ deviceKey: [] }],
    parameters: parameterNames(route.path.replace(/:(\w+)/g, '{$1}')).map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(accepts.length > 0
      ? { requestBody: { required: true, content: Object.fromEntries(accepts.map((type) => [type, { schema: bodyOf(type) }])) } }
      : {}),
    responses: {
      [String(answers)]: { description: 'Success', ...(answer ? { content: json(answer) } : {}) },
      ...(answers === 200 && route.method === 'GET' ? { '204': { description: 'Nothing waits.' } } : {}),
      ...faults,
    },
  };
}

const bodyOf = (type: string): JsonSchema => (/json$/.test(type) ? {} : { type: 'string', format: 'binary' });

const filesOf = ({ files = [] }: Endpoint): Record<string, unknown> =>
  Object.fromEntries(
    files.map((type) => [type, { schema: { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }) } }]),
  );

function json(schema: JsonSchema) {
  return { 'application/json': { schema } };
}

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined, schemas: NamedSchemas) {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.inline(schema) as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }));
}
