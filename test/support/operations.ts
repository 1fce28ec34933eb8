import type { OpenAPIObject } from '@nestjs/swagger';
import { isSecured } from '../../apps/server/src/openapi/common-responses.js';
import { describeService } from '../../apps/server/src/openapi/openapi.js';

type Limit = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems' | 'maxProperties';

/** The parts of JSON Schema that tests use. */
export interface Schema extends Partial<Record<Limit, number>> {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  example?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  uniqueItems?: boolean;
  description?: string;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  example?: unknown;
  description?: string;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema: Schema }>;
}

/** An operation of the OpenAPI document with resolved references. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  summary?: string;
  tags: string[];
  permission?: string;
  isOwnAccount: boolean;
  /** Whether the operation needs no credential, although it can accept one. */
  isPublic: boolean;
  security?: object[];
  parameters: Parameter[];
  /** The JSON body of the request, or undefined without a JSON body. */
  body?: { required: boolean; schema: Schema };
  responses: Record<string, ResponseObject>;
}

export type Document = OpenAPIObject & {
  webhooks: Record<string, { $ref: string }>;
  components: { pathItems: Record<string, { post: { requestBody: { content: Record<string, DeliveredBody> } } }> };
};

interface DeliveredBody {
  schema: Schema;
  example: Record<string, unknown>;
}

interface RawOperation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, ResponseObject>;
  'x-required-permission'?: string;
  'x-own-account'?: string;
}

let document: Promise<OpenAPIObject> | undefined;

/** Generates the OpenAPI document from the code. Requires no database: test files can declare tests from the document. */
export async function generatedDocument(): Promise<Document> {
  document ??= describeService();
  return (await document) as Document;
}

export function deliveredBody({ webhooks, components }: Document, type: string): DeliveredBody {
  const name = webhooks[type]!.$ref.split('/').at(-1)!;
  return components.pathItems[name]!.post.requestBody.content['application/json']!;
}

/** The endpoints of OAuth, which are no operations of the API: they have forms, errors and pages of their own. */
const isOfOAuth = ({ tags }: Operation): boolean => tags.includes('OAuth endpoints');

/** The endpoints of the Shared Signals Framework, which are no operations of the API: the framework prescribes their bodies. */
const isOfSharedSignals = ({ tags }: Operation): boolean => tags.includes('Shared signals endpoints');

/** Returns the operations of the API. */
export const operationsOf = (document: Document): Operation[] =>
  allOperationsOf(document).filter((operation) => !isOfOAuth(operation) && !isOfSharedSignals(operation));

export const ssfOperationsOf = (document: Document): Operation[] => allOperationsOf(document).filter(isOfSharedSignals);

export const oauthOperationsOf = (document: Document): Operation[] => allOperationsOf(document).filter(isOfOAuth);

function allOperationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, RawOperation>).map(([method, raw]) => ({
      id: raw.operationId ?? '',
      method: method.toUpperCase() as Operation['method'],
      path,
      summary: raw.summary,
      tags: raw.tags ?? [],
      permission: raw['x-required-permission'],
      isOwnAccount: raw['x-own-account'] !== undefined,
      isPublic: !isSecured(raw),
      security: raw.security,
      parameters: (raw.parameters ?? []).map((parameter) => resolved(document, parameter)),
      body: jsonBodyOf(raw),
      responses: Object.fromEntries(
        Object.entries(raw.responses).map(([status, response]) => [status, resolved(document, response)]),
      ),
    })),
  );
}

function jsonBodyOf({ requestBody }: RawOperation): Operation['body'] {
  const schema = requestBody?.content['application/json']?.schema;
  return schema && { required: requestBody?.required ?? false, schema };
}

/** Returns the target of `$ref`, or the value itself without `$ref`. */
export function resolved<T extends { $ref?: string }>(document: Document, value: T): T {
  if (value.$ref === undefined) return value;
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return target as T;
}

/** Returns a schema with one type and resolved references. `nullable` replaces the type `null`. */
export function plainSchema(document: Document, schema: Schema): Schema & { type: string; nullable: boolean } {
  const target = schema.$ref ? resolved(document, schema) : schema;
  const inner = target.allOf?.[0] ?? target.oneOf?.find((option) => option.type !== 'null');
  if (inner) {
    const nullable = target.oneOf?.some((option) => option.type === 'null') ?? false;
    return { ...plainSchema(document, inner), nullable };
  }
  const types = [target.type ?? []].flat();
  return { ...target, type: types.find((type) => type !== 'null') ?? 'unknown', nullable: types.includes('null') };
}

/** Replaces each parameter of the path with the result of `valueOf`. The result must be URL-encoded. */
export const pathOf = (operation: Operation, valueOf: (name: string) => string): string =>
  operation.path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name));

/** Returns the distinct regular expressions of the document. */
export function patternsOf(document: OpenAPIObject): string[] {
  const patterns = new Set<string>();
  JSON.stringify(document, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  return [...patterns];
}
