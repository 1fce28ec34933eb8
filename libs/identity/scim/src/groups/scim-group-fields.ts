import { isVisible } from '#platform/common';
import { assertComplete, readResource, type ScimObject } from '../protocol/resource.js';
import { GROUP_TYPE } from '../protocol/schemas.js';
import { ScimRequestInvalid } from '../protocol/scim-errors.js';
import { memberIdsOf } from './group-member-changes.js';

const MAX_NAME_LENGTH = 200;
const MAX_EXTERNAL_ID_LENGTH = 200;

/** Returns the attributes and the members of a request. @throws ScimRequestInvalid (400) */
export function readGroup(body: unknown): { resource: ScimObject; memberIds: string[] } {
  const resource = readResource(GROUP_TYPE, body);
  assertComplete(GROUP_TYPE, resource);
  const members = Object.entries(body as ScimObject).find(([name]) => name.toLowerCase() === 'members')?.[1];
  return { resource, memberIds: memberIdsOf(members) };
}

/** Returns the fields of a group. @throws ScimRequestInvalid (400, invalidValue) */
export function groupFieldsOf({ displayName, externalId }: ScimObject): { name: string; externalId: string | null } {
  const name = String(displayName).trim();
  if (!isVisible(name) || name.length > MAX_NAME_LENGTH)
    throw new ScimRequestInvalid(
      'invalidValue',
      `The attribute "displayName" must have 1 to ${MAX_NAME_LENGTH} characters, and one that is visible.`,
    );
  if (typeof externalId === 'string' && externalId.length > MAX_EXTERNAL_ID_LENGTH)
    throw new ScimRequestInvalid(
      'invalidValue',
      `The attribute "externalId" is longer than ${MAX_EXTERNAL_ID_LENGTH} characters.`,
    );
  return { name, externalId: typeof externalId === 'string' ? externalId : null };
}
