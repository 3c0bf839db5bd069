import type { Endpoint } from '@telltale/domain/endpoint.ts';
import { z } from 'zod';
import type { RegisteredRoute } from './http.ts';

type JsonSchema = Record<string, unknown>;

const isEndpoint = (route: RegisteredRoute): route is Endpoint => 'reply' in route;

/** The contract printed as OpenAPI 3.1: what is registered is what is documented, nothing by hand. */
export function openApiDocument(routes: readonly RegisteredRoute[], title: string, version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes.filter(isEndpoint)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Key {your API key}' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'Writes also send the cookie csrf_token back as X-CSRF-TOKEN.',
        },
      },
    },
    paths,
  };
}

function operation(endpoint: Endpoint) {
  const errors = { '400': 'Bad input', '403': 'Not allowed', '404': 'Not found, or not signed in' };
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/').find((part) => part && part !== 'api') ?? 'api'],
    'x-needs': endpoint.needs,
    ...(endpoint.readers ? { 'x-readers': endpoint.readers } : {}),
    security: endpoint.needs === 'anyone' ? [] : [{ key: [] }, { session: [] }],
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(endpoint.body ? { requestBody: { required: true, content: json(schemaOf(endpoint.body, 'input')) } } : {}),
    responses: {
      [String(endpoint.status ?? 200)]: { description: 'Success', content: json(schemaOf(endpoint.reply, 'output')) },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          { description, content: json({ type: 'object', properties: { message: { type: 'string' } }, required: ['message'] }) },
        ]),
      ),
    },
  };
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest;
}

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined) {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }));
}
