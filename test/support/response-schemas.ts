import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TestResponse } from './http-client.js';
import type { Document, Operation, Schema } from './operations.js';
import { problemCodes } from './problem-codes.js';

/** The key of the document. Ajv compiles each schema of the document once, for all schemas that refer to it. */
const DOCUMENT = 'openapi.json';

const CODES = new Set(problemCodes());

/** Checks responses and event payloads against the OpenAPI document. The document must contain every field with its type. */
export class ResponseSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    formats.default(this.ajv);
    this.ajv.addSchema({ components: closed(document.components) }, DOCUMENT);
  }

  /** Returns the problems of a response. Its status and media type must be documented, and an error must have a known code. */
  problemsWith(operation: Operation, { status, headers, body }: TestResponse): string[] {
    if (headers.get('x-request-id') === null) return ['no X-Request-Id'];
    if (status >= 400 && (!CODES.has(body?.code) || body.status !== status)) return ['no problem document with a known code'];
    return this.problemsOfResponse(operation, status, (headers.get('content-type') ?? '').split(';', 1)[0]!, body);
  }

  /** Returns the problems of a response body. A body is a problem if the document has no body. */
  problemsOfResponse(operation: Operation, status: number, mediaType: string, body: unknown): string[] {
    const response = operation.responses[status];
    if (!response) return [`${status} is not documented`];
    if (!response.content) return body === undefined ? [] : [`${status} documents no body`];
    const media = response.content[mediaType];
    if (!media) return [`${status} does not document ${mediaType || 'an empty response'}`];
    return this.problems(`${operation.id} ${status} ${mediaType}`, media.schema, body);
  }

  /** Returns the differences between a value and a schema of the document. */
  problems(name: string, schema: Schema, value: unknown): string[] {
    const key = schema.$ref ?? name;
    const validate = this.compiled.get(key) ?? this.ajv.compile(closed(schema));
    this.compiled.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** Returns the schema without additional properties. Undocumented fields are then errors. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === '$ref') return [key, `${DOCUMENT}${value}`];
      return [key, key === 'example' || key === 'examples' ? value : closed(value)];
    }),
  ) as Schema;
  const listsProperties = typeof inner.properties === 'object' && inner.type !== undefined;
  return (listsProperties && inner.additionalProperties === undefined ? { ...inner, additionalProperties: false } : inner) as T;
}
