import { isDeepStrictEqual } from 'node:util';

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** Returns the fields that differ between two states of a resource, for the `changes` of an `updated` event. Ignores `updatedAt`. */
export function changesBetween(before: object, after: object): Changes {
  const from = before as Record<string, unknown>;
  const to = after as Record<string, unknown>;
  const changes: Changes = {};
  for (const field of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (field === 'updatedAt' || isDeepStrictEqual(from[field], to[field])) continue;
    changes[field] = { from: from[field] ?? null, to: to[field] ?? null };
  }
  return changes;
}
