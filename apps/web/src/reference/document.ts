import { queryOptions } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem';

export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly allOf?: readonly ApiSchema[];
  readonly oneOf?: readonly ApiSchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface ApiParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: ApiSchema;
}

type Content = Readonly<Record<string, { readonly schema?: ApiSchema }>>;

export interface ApiResponse {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
}

export interface ApiOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse>>;
  readonly security?: readonly object[];
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ApiDocument {
  readonly info: { readonly description: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<ApiOperation, 'method' | 'path'>>>>>;
  readonly components: Components;
}

/** Loads the OpenAPI document of the service. @throws ApiProblem */
export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async (): Promise<ApiDocument> => {
    const response = await window.fetch('/openapi.json').catch((cause: unknown) => {
      throw ApiProblem.unreachable(cause);
    });
    if (!response.ok) throw ApiProblem.from(response, undefined);
    return response.json() as Promise<ApiDocument>;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns all operations, in the order of the document. */
export const operationsOf = ({ paths }: ApiDocument): ApiOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ ...item[method], method, path }] : [])),
  );

/** Returns the part of the document to which a value refers, or the value itself. */
export function resolved<T extends { readonly $ref?: string }>(document: ApiDocument, value: T): T {
  const [kind, name] = value.$ref?.split('/').slice(-2) ?? [];
  return kind && name ? (document.components[kind]?.[name] as T) : value;
}

/** As `resolved`, also for a schema that adds a description to another one. */
export function resolvedSchema(document: ApiDocument, schema: ApiSchema): ApiSchema {
  const { allOf, ...own } = resolved(document, schema);
  const parts = (allOf ?? []).map((part) => resolvedSchema(document, part));
  return Object.assign({}, ...parts, own) as ApiSchema;
}

export const nameOf = ({ $ref }: { readonly $ref?: string }): string | undefined => $ref?.split('/').at(-1);

export const parametersOf = (document: ApiDocument, { parameters = [] }: ApiOperation): ApiParameter[] =>
  parameters.map((parameter) => resolved(document, parameter));

/** Returns the successful response. */
export function successOf(document: ApiDocument, { responses }: ApiOperation): ApiResponse | undefined {
  const response = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return response && resolved(document, response);
}

const DEPTH_MAX = 8;

/** Returns an example of a schema. With `onlyRequired`, an object has only its required fields, or one field if none is required. */
export function exampleOf(document: ApiDocument, schema: ApiSchema, { onlyRequired = false, depth = 0 } = {}): unknown {
  const own = resolvedSchema(document, schema);
  const [choice] = own.oneOf ?? [];
  const given = own.example ?? own.const ?? own.default ?? own.enum?.[0];
  if (given !== undefined) return given;
  if (depth > DEPTH_MAX) return null;
  const options = { onlyRequired, depth: depth + 1 };
  if (choice) return exampleOf(document, choice, options);
  const type = [own.type].flat().find((each) => each !== 'null');
  if (type === 'array') return own.items ? [exampleOf(document, own.items, options)] : [];
  if (own.properties) {
    const wanted = onlyRequired ? requiredFieldsOf(own) : Object.keys(own.properties);
    return Object.fromEntries(wanted.map((name) => [name, exampleOf(document, own.properties![name]!, options)]));
  }
  return EXAMPLES[own.format ?? ''] ?? EXAMPLES[type ?? ''] ?? {};
}

/** Returns the required fields, or one field if none is required. */
function requiredFieldsOf({ required, properties = {} }: ApiSchema): readonly string[] {
  if (required) return required;
  const names = Object.keys(properties);
  return [names.find((name) => properties[name]?.example !== undefined) ?? names[0]].flatMap((name) => name ?? []);
}

/** Examples by format or type. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  email: 'jane.doe@example.com',
  uri: 'https://example.com',
  'date-time': '2027-01-01T00:00:00Z',
  string: 'string',
  integer: 1,
  number: 1,
  boolean: true,
};
