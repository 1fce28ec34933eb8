import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  items?: { enum?: unknown[] };
  minItems?: number;
  maxItems?: number;
}

/** Sets `maxItems` of every list of choices to the number of choices, which is known only after all libraries are loaded. */
export function limitChoiceLists(document: OpenAPIObject): void {
  for (const { properties = {} } of Object.values(document.components!.schemas!) as { properties?: Record<string, Schema> }[]) {
    for (const [name, schema] of Object.entries(properties)) {
      const choices = schema.items?.enum;
      if (!choices || schema.minItems === undefined || schema.maxItems !== undefined) continue;
      const entries = Object.entries(schema).flatMap((entry) =>
        entry[0] === 'minItems' ? [entry, ['maxItems', choices.length]] : [entry],
      );
      properties[name] = Object.fromEntries(entries);
    }
  }
}
