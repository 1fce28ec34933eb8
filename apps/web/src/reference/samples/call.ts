import { type ApiDocument, type ApiOperation, exampleOf, nameOf, parametersOf, resolvedSchema, successOf } from '../document';

/** A call of an operation with example values, as the samples show it. */
export interface Call {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly baseUrl: string;
  readonly isPublic: boolean;
  /** The values of the path parameters. */
  readonly pathValues: readonly (readonly [name: string, value: string])[];
  /** The required query parameters. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly hasQuery: boolean;
  readonly body?: Body | undefined;
  /** Whether the operation has a body that the sample leaves out. */
  readonly omitsBody: boolean;
  readonly result: 'list' | 'data' | 'content' | 'none';
}

export interface Body {
  readonly contentType: string;
  /** The fields of a body in JSON or of a form. Undefined for other types. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly schemaName?: string | undefined;
  /** Whether the required fields are plain texts, and the example has no other fields. */
  readonly hasOnlyTexts: boolean;
  /** The names of fields with a time. */
  readonly times: ReadonlySet<string>;
}

const JSON_TYPE = 'application/json';

export function callOf(document: ApiDocument, operation: ApiOperation): Call {
  const parameters = parametersOf(document, operation);
  const valuesOf = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter.required)
      .map(({ name, schema }) => [name, String(exampleOf(document, schema))] as const);
  const body = bodyOf(document, operation);
  return {
    id: operation.operationId,
    method: operation.method,
    path: operation.path,
    baseUrl: document.servers[0]?.url ?? '',
    isPublic: (operation.security ?? []).length === 0,
    pathValues: valuesOf('path'),
    query: valuesOf('query'),
    hasQuery: parameters.some((parameter) => parameter.in === 'query'),
    body,
    omitsBody: body === undefined && operation.requestBody !== undefined,
    result: resultOf(document, operation),
  };
}

function bodyOf(document: ApiDocument, { requestBody, method }: ApiOperation): Body | undefined {
  const [contentType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (contentType === undefined || (!requestBody?.required && method !== 'patch')) return undefined;
  const reference = media?.schema ?? {};
  const schema = resolvedSchema(document, reference);
  const { properties = {}, required = [] } = schema;
  if (schema.properties === undefined) return { contentType, hasOnlyTexts: false, times: new Set() };
  const fields = exampleOf(document, { ...schema, example: undefined }, { onlyRequired: true }) as Record<string, unknown>;
  const fieldOf = (name: string) => resolvedSchema(document, properties[name] ?? {});
  const isText = (name: string): boolean =>
    fieldOf(name).type === 'string' && !fieldOf(name).enum && !fieldOf(name).format?.startsWith('date');
  return {
    contentType,
    fields,
    schemaName: nameOf(reference),
    hasOnlyTexts: required.length > 0 && required.every(isText),
    times: new Set(Object.keys(fields).filter((name) => fieldOf(name).format === 'date-time')),
  };
}

function resultOf(document: ApiDocument, operation: ApiOperation): Call['result'] {
  const { content } = successOf(document, operation) ?? {};
  if (!content) return 'none';
  const schema = content[JSON_TYPE]?.schema;
  if (!schema) return 'content';
  return resolvedSchema(document, schema).properties?.['pagination'] ? 'list' : 'data';
}

/** Returns the path with its example values. */
export const addressOf = ({ path, pathValues, query }: Call): string => {
  const filled = pathValues.reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
};

/** OAuth applications use a library for OpenID Connect, so the packages have no methods for its endpoints. */
export const isInPackages = ({ path }: Pick<ApiOperation, 'path'>): boolean => !/^\/(?:oauth\/|\.well-known\/o)/.test(path);
