import type { OpenAPIObject } from '@nestjs/swagger';

interface Body {
  required?: boolean;
  content?: Record<string, { schema?: { $ref?: string } }>;
}

/** Marks bodies without required fields as optional: an absent body counts as `{}`. */
export function markOptionalBodies(document: OpenAPIObject): void {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item as Record<string, { requestBody?: Body } | undefined>)) {
      const name = operation?.requestBody?.content?.['application/json']?.schema?.$ref?.split('/').at(-1);
      const schema = name === undefined ? undefined : document.components?.schemas?.[name];
      if (schema && 'required' in schema && (schema.required?.length ?? 0) > 0) continue;
      if (schema && operation?.requestBody) operation.requestBody.required = false;
    }
  }
}
