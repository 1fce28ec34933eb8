import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from './methods.js';

interface Schema {
  type?: string | string[];
  format?: string;
  maximum?: number;
  oneOf?: Schema[];
}

interface Parameter {
  in?: string;
  name?: string;
}

const INT32_MAX = 2 ** 31 - 1;

/** Changes details that the decorators can't express, so that client generators write correct code. */
export function adaptToGenerators(document: OpenAPIObject): void {
  orderPathParameters(document);
  removeChoicesWithLists(document.components!.schemas);
  formatIntegers(document);
  omitBodiesOfDeletions(document);
}

/** Sorts path parameters first, in the order of the path, because generated functions have parameters in this order. */
function orderPathParameters(document: OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as { parameters?: Parameter[] } | undefined;
      const position = ({ in: where, name }: Parameter): number => (where === 'path' ? path.indexOf(`{${name}}`) : Infinity);
      operation?.parameters?.sort((a, b) => Math.sign(position(a) - position(b)) || 0);
    }
  }
}

/**
 * Removes each choice (`oneOf`) with a list from the schemas, so that the field can have any value. For such a choice, openapi-generator
 * writes Java that does not compile.
 */
function removeChoicesWithLists(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { oneOf } = value as Schema;
  if (Array.isArray(oneOf) && oneOf.some(({ type }) => type === 'array')) delete (value as Schema).oneOf;
  for (const inner of Object.values(value)) removeChoicesWithLists(inner);
}

/**
 * Removes the bodies of DELETE operations, because generators omit these bodies or warn. HTTP defines no meaning for the body of
 * a DELETE request (RFC 9110, 9.3.5).
 */
function omitBodiesOfDeletions({ paths }: OpenAPIObject): void {
  for (const { delete: deletion } of Object.values(paths)) delete deletion?.requestBody;
}

/** Sets the `format` of integers. Without a format, each generator chooses the size itself. */
function formatIntegers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { type, maximum } = value as Schema;
  if (type === 'integer' || (Array.isArray(type) && type.includes('integer') && type.length === 2))
    (value as Schema).format ??= maximum !== undefined && maximum <= INT32_MAX ? 'int32' : 'int64';
  for (const inner of Object.values(value)) formatIntegers(inner);
}
