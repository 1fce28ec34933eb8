import { complex, flag, reference, type ResourceType, type Schema, text, valueList } from './attributes.js';

export const USER_SCHEMA_ID = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE_SCHEMA_ID = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GROUP_SCHEMA_ID = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const readOnly = { mutability: 'readOnly' } as const;

const USER_SCHEMA: Schema = {
  id: USER_SCHEMA_ID,
  name: 'User',
  description: 'A user of the organization',
  attributes: [
    text('userName', 'Name with which the identity provider identifies the user, unique in the connection.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', 'Parts of the name.', [
      text('formatted', 'Full name.'),
      text('familyName', 'Last name.'),
      text('givenName', 'First name.'),
      text('middleName', 'Middle name.'),
      text('honorificPrefix', 'Title before the name.'),
      text('honorificSuffix', 'Suffix after the name.'),
    ]),
    text('displayName', 'Name that is displayed to other users.'),
    text('nickName', 'Casual name.'),
    reference('profileUrl', 'URL of the online profile.', ['external']),
    text('title', 'Job title.'),
    text('userType', 'Relation to the organization, for example "Employee".'),
    text('preferredLanguage', 'Preferred language, as a BCP 47 tag.'),
    text('locale', 'Locale, as a BCP 47 tag.'),
    text('timezone', 'Time zone, for example "Europe/Berlin".'),
    flag('active', 'Whether the user can sign in. `false` suspends the user and revokes all sessions.'),
    valueList(
      'emails',
      'Email addresses. The primary address, or the address of type "work", is the address of the account, unique in the tenant. Required unless `userName` is an email address.',
      text('value', 'Email address.', { required: true }),
      { required: true },
    ),
    valueList('phoneNumbers', 'Phone numbers.', text('value', 'Phone number.')),
    valueList('ims', 'Instant messaging addresses.', text('value', 'Address.')),
    valueList('photos', 'Photos.', reference('value', 'URL of a photo.', ['external'])),
    complex(
      'addresses',
      'Postal addresses.',
      [
        text('formatted', 'Full address.'),
        text('streetAddress', 'Street and number.'),
        text('locality', 'City.'),
        text('region', 'State or region.'),
        text('postalCode', 'Postal code.'),
        text('country', 'Country code (ISO 3166-1).'),
        text('type', 'Label of the value, for example "work" or "home".'),
        flag('primary', 'Whether this is the preferred value. At most one value is.'),
      ],
      { multiValued: true },
    ),
    complex(
      'groups',
      'Groups of the user. They change with the resource of the group.',
      [
        text('value', 'Id of the group.', { ...readOnly, caseExact: true }),
        reference('$ref', 'URL of the group.', ['Group'], readOnly),
        text('display', 'Name of the group.', readOnly),
        text('type', 'Always "direct".', readOnly),
      ],
      { multiValued: true, ...readOnly },
    ),
    valueList('entitlements', 'Entitlements, which the service stores but does not use.', text('value', 'Entitlement.')),
    valueList(
      'roles',
      'Roles, which the service stores but does not use. Assign roles to groups instead.',
      text('value', 'Role.'),
    ),
  ],
};

const ENTERPRISE_SCHEMA: Schema = {
  id: ENTERPRISE_SCHEMA_ID,
  name: 'EnterpriseUser',
  description: 'A user as an employee',
  attributes: [
    text('employeeNumber', 'Number of the employee.'),
    text('costCenter', 'Cost center.'),
    text('organization', 'Name of the organization.'),
    text('division', 'Name of the division.'),
    text('department', 'Name of the department.'),
    complex('manager', 'Manager of the user.', [
      text('value', 'Id of the manager.', { caseExact: true }),
      reference('$ref', 'URL of the manager.', ['User']),
      text('displayName', 'Name of the manager.'),
    ]),
  ],
};

const GROUP_SCHEMA: Schema = {
  id: GROUP_SCHEMA_ID,
  name: 'Group',
  description: 'A group of users',
  attributes: [
    text('displayName', 'Name of the group, unique in the organization.', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      'Members. Only users of this connection can be members; nested groups are rejected.',
      [
        text('value', 'Id of the user.', { caseExact: true, mutability: 'immutable' }),
        reference('$ref', 'URL of the user.', ['User'], { mutability: 'immutable' }),
        text('type', 'Always "User".', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
      { multiValued: true },
    ),
  ],
};

export const USER_TYPE: ResourceType = { name: 'User', endpoint: '/Users', schema: USER_SCHEMA, extension: ENTERPRISE_SCHEMA };
export const GROUP_TYPE: ResourceType = { name: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA };
export const RESOURCE_TYPES: readonly ResourceType[] = [USER_TYPE, GROUP_TYPE];
