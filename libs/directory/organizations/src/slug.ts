import { randomBytes } from 'node:crypto';
import { searchKey } from '#platform/common';

/** Lower-case letters, digits and inner hyphens, at most 63; never of the form of an id, which has an underscore. */
export const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A slug made from a name; names without a usable letter get a random one. */
export function slugFrom(name: string): string {
  const words = searchKey(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 56)
    .replace(/^-+|-+$/g, '');
  return words || `organization-${randomSuffix()}`;
}

/** Another try for a slug that is taken. */
export const slugVariant = (slug: string): string => `${slug.slice(0, 56)}-${randomSuffix()}`;

const randomSuffix = (): string => randomBytes(4).toString('hex').slice(0, 6);
