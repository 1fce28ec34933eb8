import type { PatchOperation } from '../protocol/patch.js';
import { ScimRequestInvalid } from '../protocol/scim-errors.js';
import { isObject, type ScimObject } from '../protocol/resource.js';
import type { ValueFilter } from '../protocol/value-filter.js';

/** Maximum number of members times conditions that a filter compares. Directories name the members by `value`, which compares one. */
const MAX_COMPARISONS = 100_000;

/** A change of the members: users to add and to remove, or the complete list. */
export type MemberChange =
  | { readonly add: readonly string[] }
  | { readonly remove: readonly string[] }
  | { readonly set: readonly string[] };

/** Returns the ids of users in the value of `members`. @throws ScimRequestInvalid (400, invalidValue) for other values and for groups */
export function memberIdsOf(value: unknown): string[] {
  const list = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  const ids = list.map((item) => {
    const id = isObject(item) ? item['value'] : item;
    // PostgreSQL can't compare texts with NUL.
    if (typeof id !== 'string' || id === '' || id.includes('\0'))
      throw new ScimRequestInvalid('invalidValue', 'Each member needs the id of a user as "value".');
    const type = isObject(item) ? item['type'] : undefined;
    if ((typeof type === 'string' && type.toLowerCase() === 'group') || id.startsWith('group_'))
      throw new ScimRequestInvalid(
        'invalidValue',
        `"${id.slice(0, 80)}" is a group. A group can't be a member of another group. Assign the users of the group instead.`,
      );
    return id;
  });
  return [...new Set(ids)];
}

/** Returns the change of an operation on `members`. `current` reads the present members. @throws ScimRequestInvalid (400) */
export async function memberChangeOf(
  operation: PatchOperation,
  current: () => Promise<readonly string[]>,
): Promise<MemberChange> {
  const { op, filter, value, target } = operation;
  if (target.subAttribute)
    throw new ScimRequestInvalid('mutability', "The attributes of a member can't be changed. Add or remove the member.");
  if (filter) {
    const ids = await matchingIds(filter, current);
    if (op === 'remove') return { remove: ids };
    return { add: [...ids, ...memberIdsOf(value)] };
  }
  if (op === 'add') return { add: memberIdsOf(value) };
  if (op === 'replace') return { set: memberIdsOf(value) };
  // Entra ID sends the members to remove as value.
  return value === undefined || value === null ? { set: [] } : { remove: memberIdsOf(value) };
}

/** Returns the ids of matching members. A filter that names the id also matches users who are no members. @throws ScimRequestInvalid (400, tooMany) */
async function matchingIds(filter: ValueFilter, current: () => Promise<readonly string[]>): Promise<string[]> {
  const described = filter.described?.['value'];
  const candidates = typeof described === 'string' ? [described] : await current();
  if (candidates.length * filter.size > MAX_COMPARISONS)
    throw new ScimRequestInvalid('tooMany', 'The filter would compare too many members. Name the members by "value".');
  return candidates.filter((id) => filter.matches({ value: id, type: 'User' } satisfies ScimObject));
}
