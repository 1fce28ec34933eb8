import { randomBytes } from 'node:crypto';
import { asciiWords } from '#platform/common';

/** The form of a slug: at most 63 lowercase letters, digits and inner hyphens. A slug is never an id, because ids contain an underscore. */
export const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns a slug for a name in any script, or a random slug for a name without letters and digits. */
export function slugFrom(name: string): string {
  const words = asciiWords(name).slice(0, 56).replace(/^-|-$/g, '');
  return words || `organization-${randomSuffix()}`;
}

/** Adds a random suffix to a slug that is already in use. */
export const slugVariant = (slug: string): string => `${slug.slice(0, 56)}-${randomSuffix()}`;

const randomSuffix = (): string => randomBytes(4).toString('hex').slice(0, 6);
