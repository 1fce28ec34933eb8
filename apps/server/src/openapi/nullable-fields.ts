import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  allOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  [key: string]: unknown;
}

const JSON_TYPE = 'application/json';

/**
 * Marks the optional fields of JSON bodies as nullable, as the validation does: `null` counts as absent, or removes the value if the
 * description says so.
 */
export function showNullAsAbsent(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const visited = new Set<Schema>();
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined || visited.has(schema)) return;
    visited.add(schema);
    if (schema.$ref !== undefined) visit(schemas[schema.$ref.split('/').at(-1)!]);
    for (const inner of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), schema['items'] as Schema | undefined]) visit(inner);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      visit(property);
      if (!schema.required?.includes(name)) schema.properties![name] = nullable(property);
    }
  };
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(
      item as Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>,
    ))
      visit(operation.requestBody?.content[JSON_TYPE]?.schema);
  }
}

function nullable(schema: Schema): Schema {
  const { type, enum: choices, allOf, oneOf, ...rest } = schema;
  const types = [type ?? []].flat();
  if (types.includes('null') || oneOf?.some((option) => option.type === 'null')) return schema;
  if (choices) return { ...rest, oneOf: [{ type, enum: choices }, { type: 'null' }] };
  if (types.length > 0) return { ...schema, type: [...types, 'null'] };
  return { ...rest, oneOf: [...(allOf ?? oneOf ?? []), { type: 'null' }] };
}
