import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from './methods.js';

/** Adds the required permission of each operation to the description, for readers. Programs read `x-required-permission`. */
export function showPermissions(document: OpenAPIObject): void {
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method] as ({ description?: string } & Record<string, unknown>) | undefined;
      const permission = operation?.['x-required-permission'];
      if (!operation || typeof permission !== 'string') continue;
      operation.description = [operation.description, `Requires the permission \`${permission}\`.`].filter(Boolean).join('\n\n');
    }
  }
}
