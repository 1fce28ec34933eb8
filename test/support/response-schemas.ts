import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document, Operation, Schema } from './operations.js';

/** Checks responses and event payloads against the OpenAPI document. The document must contain every field with its type. */
export class ResponseSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly components: unknown;

  constructor(document: Document) {
    formats.default(this.ajv);
    this.components = closed(document.components);
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
    const validate = this.compiled.get(name) ?? this.ajv.compile({ ...closed(schema), components: this.components });
    this.compiled.set(name, validate);
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
    Object.entries(schema).map(([key, value]) => [key, key === 'example' || key === 'examples' ? value : closed(value)]),
  ) as Schema;
  const listsProperties = typeof inner.properties === 'object' && inner.type !== undefined;
  return (listsProperties && inner.additionalProperties === undefined ? { ...inner, additionalProperties: false } : inner) as T;
}
