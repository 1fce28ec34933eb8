import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Content; links?: Record<string, object> }>;
}

type Item = Partial<Record<'get' | 'post' | 'patch' | 'delete', Operation>>;

/** The methods of the operations that a 201 response links to. */
const LINKED_METHODS = ['get', 'patch', 'delete'] as const;

/** Links each 201 response to the operations that get, update and delete the created resource. */
export function linkCreations(document: OpenAPIObject): void {
  const paths = document.paths as Record<string, Item>;
  for (const [path, { post }] of Object.entries(paths)) {
    const created = post?.responses['201'];
    const [resourcePath, parameter] = created ? resourcePathOf(Object.keys(paths), path) : [];
    if (!created || !resourcePath || !parameter) continue;
    const parents = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `$request.path.${name}`]));
    const parameters = { ...parents, [parameter]: `$response.body#/data/${idFieldOf(document, created.content, parameter)}` };
    const links = LINKED_METHODS.flatMap((method) => {
      const operationId = paths[resourcePath]![method]?.operationId;
      return operationId === undefined ? [] : [[operationId, { operationId, parameters }] as const];
    });
    if (links.length > 0) created.links = Object.fromEntries(links);
  }
}

/** Returns the path of a single resource of a collection, and the name of the last parameter of the path. */
function resourcePathOf(paths: readonly string[], collection: string): [string?, string?] {
  for (const path of paths) {
    const [, parameter] = path.startsWith(`${collection}/`) ? (/^\{(\w+)\}$/.exec(path.slice(collection.length + 1)) ?? []) : [];
    if (parameter !== undefined) return [path, parameter];
  }
  return [];
}

/** Returns the field that contains the id: the field with the name of the parameter, such as `userId` of a member, or `id`. */
function idFieldOf(document: OpenAPIObject, content: Content | undefined, parameter: string): string {
  const schemaOf = (schema?: Schema): Schema | undefined => document.components?.schemas?.[schema?.$ref?.split('/').at(-1) ?? ''];
  const data = schemaOf(content?.['application/json']?.schema)?.properties?.['data'];
  return schemaOf(data)?.properties?.[parameter] ? parameter : 'id';
}
