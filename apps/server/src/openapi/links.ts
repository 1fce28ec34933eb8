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

/** What can be done next with something that was just made. */
const NEXT = ['get', 'patch', 'delete'] as const;

/** Links each answer that shows something newly made (201) to the operations that read, change and delete that very thing. */
export function linkCreations(document: OpenAPIObject): void {
  const paths = document.paths as Record<string, Item>;
  for (const [path, { post }] of Object.entries(paths)) {
    const created = post?.responses['201'];
    const [single, parameter] = created ? singleOf(Object.keys(paths), path) : [];
    if (!created || !single || !parameter) continue;
    const parents = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `$request.path.${name}`]));
    const parameters = { ...parents, [parameter]: `$response.body#/data/${nameIn(document, created.content, parameter)}` };
    const links = NEXT.flatMap((method) => {
      const operationId = paths[single]![method]?.operationId;
      return operationId === undefined ? [] : [[operationId, { operationId, parameters }] as const];
    });
    if (links.length > 0) created.links = Object.fromEntries(links);
  }
}

/** The path of one thing of a collection, and the name of its last parameter. */
function singleOf(paths: readonly string[], collection: string): [string?, string?] {
  for (const path of paths) {
    const [, parameter] = path.startsWith(`${collection}/`) ? (/^\{(\w+)\}$/.exec(path.slice(collection.length + 1)) ?? []) : [];
    if (parameter !== undefined) return [path, parameter];
  }
  return [];
}

/** Which field of the answer names it: one of the parameter's own name, such as `userId` of a member, or `id`. */
function nameIn(document: OpenAPIObject, content: Content | undefined, parameter: string): string {
  const named = (schema?: Schema): Schema | undefined => document.components?.schemas?.[schema?.$ref?.split('/').at(-1) ?? ''];
  const data = named(content?.['application/json']?.schema)?.properties?.['data'];
  return named(data)?.properties?.[parameter] ? parameter : 'id';
}
