import { ENTERPRISE_SCHEMA_ID, USER_SCHEMA_ID } from '../protocol/schemas.js';
import { isObject, type ScimObject } from '../protocol/resource.js';
import { fieldsOf, preferred, valuesOf } from './scim-user-fields.js';
import type { UserRecord } from './scim-users.query.js';

/** Returns the version of a user, which changes with the user and with the attributes. */
export const versionOf = ({ userVersion, version }: Pick<UserRecord, 'userVersion' | 'version'>): string =>
  `W/"${userVersion}.${version}"`;

/** Returns the attributes that a client can set. Fields of the user that changed elsewhere replace the attributes. */
export function attributesOf(record: UserRecord): ScimObject {
  const { userName, externalId, status } = record;
  const attributes: ScimObject = structuredClone({ userName, ...record.attributes });
  const sent = fieldsOf(attributes);
  if (record.email !== sent.email) setEmail(attributes, record.email);
  if (record.firstName !== sent.firstName) setName(attributes, 'givenName', record.firstName);
  if (record.lastName !== sent.lastName) setName(attributes, 'familyName', record.lastName);
  if (record.displayName !== sent.displayName) set(attributes, 'displayName', record.displayName);
  if (record.phoneNumber !== sent.phoneNumber) setPhoneNumber(attributes, record.phoneNumber);
  const { active: stored, ...others } = attributes;
  const active = status !== 'suspended';
  const isUnassigned = active && stored === null;
  return { ...(externalId === null ? {} : { externalId }), ...others, ...(isUnassigned ? {} : { active }) };
}

/** Returns the resource in responses. `base` is the base URL of the connection. */
export function userResource(record: UserRecord, base: string): ScimObject {
  const attributes = attributesOf(record);
  const groups = record.groups?.map(({ value, display }) => ({
    value,
    $ref: `${base}/Groups/${value}`,
    display,
    type: 'direct',
  }));
  return {
    schemas: [USER_SCHEMA_ID, ...(attributes[ENTERPRISE_SCHEMA_ID] === undefined ? [] : [ENTERPRISE_SCHEMA_ID])],
    id: record.id,
    ...attributes,
    ...(groups && groups.length > 0 ? { groups } : {}),
    meta: {
      resourceType: 'User',
      created: record.createdAt.toISOString(),
      lastModified: record.updatedAt.toISOString(),
      location: `${base}/Users/${record.id}`,
      version: versionOf(record),
    },
  };
}

function set(target: ScimObject, name: string, value: unknown): void {
  if (value === null) delete target[name];
  else target[name] = value;
}

function setName(attributes: ScimObject, part: string, value: string | null): void {
  const name = isObject(attributes['name']) ? attributes['name'] : {};
  set(name, part, value);
  // A full name of other parts would contradict them.
  delete name['formatted'];
  set(attributes, 'name', Object.keys(name).length === 0 ? null : name);
}

function setEmail(attributes: ScimObject, email: string): void {
  const emails = valuesOf(attributes, 'emails');
  const main = preferred(emails);
  if (main) main['value'] = email;
  else attributes['emails'] = [{ value: email, primary: true }];
}

function setPhoneNumber(attributes: ScimObject, phoneNumber: string | null): void {
  const values = valuesOf(attributes, 'phoneNumbers');
  const main = preferred(values);
  if (phoneNumber === null) set(attributes, 'phoneNumbers', values.length > 1 ? values.filter((value) => value !== main) : null);
  else if (main) main['value'] = phoneNumber;
  else attributes['phoneNumbers'] = [{ value: phoneNumber, type: 'work' }];
}
