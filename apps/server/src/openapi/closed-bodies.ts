import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  [key: string]: unknown;
}

/** Sets `additionalProperties: false` in the schemas of request bodies, because the validation rejects unknown fields. */
export function closeBodies(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const close = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as Schema;
    const target = typeof $ref === 'string' ? schemas[$ref.split('/').at(-1)!] : undefined;
    if (target?.properties && target.additionalProperties === undefined) {
      target.additionalProperties = false;
      close(target.properties);
    }
    for (const inner of Object.values(value)) close(inner);
  };
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item as Record<string, { requestBody?: unknown }>)) close(operation.requestBody);
  }
}
