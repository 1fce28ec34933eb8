import { isObject, type ScimObject } from './resource.js';
import type { ResourceType } from './attributes.js';
import { type Filter, parseFilter } from './filter.js';
import { type Projection, readProjection } from './projection.js';
import { ScimRequestInvalid } from './scim-errors.js';

export const LIST_SCHEMA_ID = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
/** Maximum number of resources in a response, and the number without `count`. */
export const MAX_RESULTS = 200;
export const DEFAULT_RESULTS = 100;

/** A page of a list: by position (RFC 7644) or by cursor (RFC 9865). */
export interface ListRequest {
  readonly filter?: Filter;
  readonly projection: Projection;
  readonly count: number;
  readonly page: { readonly startIndex: number } | { readonly cursor: Cursor | undefined };
}

/** The position after a page: the last id, and the number of all results when the first page was read. */
export interface Cursor {
  readonly after: string;
  readonly total: number;
}

/** Resources of one page. `nextCursor` is set if more follow. */
export interface ResultPage {
  readonly resources: readonly ScimObject[];
  readonly total: number;
  readonly nextCursor?: Cursor;
}

/** Which part of a list to read: after an id, or from an offset. */
export interface ListPart {
  readonly after?: string;
  readonly offset?: number;
  readonly limit: number;
}

/**
 * Reads the page of a request. One resource more than the page has tells whether more follow. Counts only if the page is not the last one,
 * whose position shows the total.
 */
export async function readPage<T extends { readonly id: string }>(
  { count, page }: ListRequest,
  readTotal: () => Promise<number>,
  read: (part: ListPart) => Promise<T[]>,
): Promise<{ shown: T[]; total: number; nextCursor?: Cursor }> {
  const cursor = 'cursor' in page ? page.cursor : undefined;
  if (count === 0) return { shown: [], total: cursor?.total ?? (await readTotal()) };
  const start = 'cursor' in page ? (cursor ? { after: cursor.after } : {}) : { offset: page.startIndex - 1 };
  const found = await read({ ...start, limit: count + 1 });
  const offset = 'startIndex' in page ? page.startIndex - 1 : 0;
  const isLast = found.length <= count && (found.length > 0 || offset === 0);
  const total = cursor?.total ?? (isLast ? offset + found.length : await readTotal());
  const shown = found.slice(0, count);
  const last = shown.at(-1);
  return { shown, total, ...(found.length > count && last ? { nextCursor: { after: last.id, total } } : {}) };
}

const NAMES = ['filter', 'attributes', 'excludedAttributes', 'count', 'startIndex', 'cursor'] as const;
type Parameters = Partial<Record<(typeof NAMES)[number], unknown>>;

/** Reads the parameters of a list from a query or from the body of a search. Case of the names is ignored. @throws ScimRequestInvalid (400) */
export function readListRequest(types: readonly ResourceType[], source: unknown): ListRequest {
  if (!isObject(source)) throw new ScimRequestInvalid('invalidSyntax', 'The body must be a JSON object.');
  const parameters: Parameters = {};
  for (const [name, value] of Object.entries(source)) {
    const known = NAMES.find((other) => other.toLowerCase() === name.toLowerCase());
    if (known && value !== null && value !== undefined) parameters[known] = value;
  }
  const { filter, cursor } = parameters;
  if (filter !== undefined && typeof filter !== 'string')
    throw new ScimRequestInvalid('invalidFilter', 'The filter must be one string.');
  if (cursor !== undefined && parameters.startIndex !== undefined)
    throw new ScimRequestInvalid('invalidCursor', 'Send either "cursor" or "startIndex".');
  const count = readInteger('count', parameters.count, DEFAULT_RESULTS);
  return {
    ...(filter === undefined || filter.trim() === '' ? {} : { filter: parseFilter(filter) }),
    projection: projectionOf(types, parameters),
    count: Math.min(Math.max(count, 0), MAX_RESULTS),
    page:
      cursor === undefined
        ? { startIndex: Math.max(readInteger('startIndex', parameters.startIndex, 1), 1) }
        : { cursor: readCursor(cursor) },
  };
}

/** Reads `attributes` and `excludedAttributes` of a request for one resource. @throws ScimRequestInvalid (400) */
export const readProjectionOf = (type: ResourceType, query: ScimObject): Projection => projectionOf([type], query);

const projectionOf = (types: readonly ResourceType[], { attributes, excludedAttributes }: Parameters): Projection =>
  readProjection(types, namesOf('attributes', attributes), namesOf('excludedAttributes', excludedAttributes));

/** Names are separated by commas in a query and in a list in the body of a search. */
function namesOf(parameter: string, value: unknown): string[] {
  if (value === undefined) return [];
  const parts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [null];
  if (!parts.every((part): part is string => typeof part === 'string'))
    throw new ScimRequestInvalid('invalidValue', `"${parameter}" must be a list of names.`);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function readInteger(name: 'count' | 'startIndex', value: unknown, absent: number): number {
  if (value === undefined) return absent;
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || Math.abs(number) > 1e9)
    throw new ScimRequestInvalid(name === 'count' ? 'invalidCount' : 'invalidValue', `"${name}" must be a whole number.`);
  return number;
}

function readCursor(value: unknown): Cursor | undefined {
  if (value === '') return undefined;
  const invalid = () =>
    new ScimRequestInvalid(
      'invalidCursor',
      'The cursor is not one that this service returned. Start again with an empty cursor.',
    );
  if (typeof value !== 'string' || value.length > 200) throw invalid();
  const [after = '', total = ''] = Buffer.from(value, 'base64url').toString('utf8').split(' ');
  if (!/^[a-z0-9_]{1,64}$/.test(after) || !/^\d{1,9}$/.test(total)) throw invalid();
  return { after, total: Number(total) };
}

const cursorText = ({ after, total }: Cursor): string => Buffer.from(`${after} ${total}`).toString('base64url');

/** Returns the response of a list (RFC 7644, section 3.4.2). */
export function listResponseOf({ page }: ListRequest, { resources, total, nextCursor }: ResultPage): ScimObject {
  return {
    schemas: [LIST_SCHEMA_ID],
    totalResults: total,
    itemsPerPage: resources.length,
    ...('startIndex' in page ? { startIndex: page.startIndex } : {}),
    ...('cursor' in page && nextCursor ? { nextCursor: cursorText(nextCursor) } : {}),
    Resources: resources,
  };
}
