import { randomBytes } from 'node:crypto';
import { searchKey } from '#platform/common';

/** The form of a slug: at most 63 lowercase letters, digits and inner hyphens. Ids contain an underscore, so an id is never a slug. */
export const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns a slug for a name. For a name without a usable character, the slug is random. */
export function slugFrom(name: string): string {
  const words = searchKey(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 56)
    .replace(/^-+|-+$/g, '');
  return words || `organization-${randomSuffix()}`;
}

/** Returns a variant of a slug that is already in use, with a random suffix. */
export const slugVariant = (slug: string): string => `${slug.slice(0, 56)}-${randomSuffix()}`;

const randomSuffix = (): string => randomBytes(4).toString('hex').slice(0, 6);
