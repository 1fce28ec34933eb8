import {
  asciiDomain,
  domainOfEmail,
  emailKey,
  mergeMetadata,
  newId,
  type OrganizationScope,
  unicodeDomain,
} from '#platform/common';
import type { OrganizationSettings } from '#directory/organizations';
import { DomainNotAllowed } from './user-errors.js';
import type { CreateUserRequest, UpdateUserRequest } from './user.requests.js';
import { User } from './user.entity.js';
import { fieldValues, USER_FIELD_NAMES } from './user-fields.js';

/** Returns a new, pending user of an organization. */
export function newUser(organization: OrganizationScope, request: CreateUserRequest, now: Date): User {
  return Object.assign(new User(), {
    id: newId('user'),
    tenantId: organization.tenantId,
    organizationId: organization.id,
    email: request.email,
    emailKey: emailKey(request.email),
    emailVerified: false,
    emailConfirmed: false,
    ...fieldValues(USER_FIELD_NAMES, request),
    phoneVerified: false,
    managedBy: null,
    status: 'pending',
    statusBeforeDeletion: null,
    guestTenantIds: [],
    mfaEnabled: false,
    mfaMethods: [],
    metadata: mergeMetadata({}, request.metadata ?? {}),
    suspendedAt: null,
    suspendedReason: null,
    deletedAt: null,
    lastLoginAt: null,
    lastPasswordChangeAt: null,
    createdAt: now,
    updatedAt: now,
  } satisfies Omit<User, 'version'>);
}

/** @throws DomainNotAllowed (422) */
export function assertDomainAllowed(email: string, { allowedDomains }: OrganizationSettings): void {
  const domain = domainOfEmail(email) ?? '';
  if (allowedDomains.length === 0 || allowedDomains.some((each) => asciiDomain(each) === domain)) return;
  throw new DomainNotAllowed(unicodeDomain(domain), allowedDomains);
}

/**
 * Copies the fields of a request to a user. Merges `metadata` by key. A new email address is neither verified nor confirmed.
 * @throws InvalidRequest (400) when the metadata is too large
 */
export function applyFields(user: User, request: UpdateUserRequest): void {
  if (request.email !== undefined) {
    if (emailKey(request.email) !== user.emailKey) Object.assign(user, { emailVerified: false, emailConfirmed: false });
    user.email = request.email;
    user.emailKey = emailKey(request.email);
  }
  if (request.phoneNumber !== undefined && request.phoneNumber !== user.phoneNumber) user.phoneVerified = false;
  for (const name of USER_FIELD_NAMES) {
    const value = request[name];
    if (value !== undefined) user[name] = value;
  }
  if (request.metadata) user.metadata = mergeMetadata(user.metadata, request.metadata);
}

/** The fields that a SCIM connection decides. Users choose their language and picture themselves. */
const PROVISIONED_FIELDS = ['firstName', 'lastName', 'displayName', 'phoneNumber'] as const;

/** Returns whether a change affects a field that the connection of the user decides. */
export const changesProvisioned = (user: User, request: UpdateUserRequest): boolean =>
  (request.email !== undefined && request.email !== user.email) ||
  PROVISIONED_FIELDS.some((name) => request[name] !== undefined && request[name] !== user[name]);

/** The fields of a change that can affect how a user signs in or is identified. */
export interface ChangedIdentity extends Pick<UpdateUserRequest, 'email' | 'externalId' | 'phoneNumber'> {
  readonly emailVerified?: boolean | undefined;
  readonly phoneVerified?: boolean | undefined;
  /** Whether the user gets further accounts at identity providers to sign in with. */
  readonly linksIdentity?: boolean | undefined;
}

/** Returns the email address and external id that a change gives to a new or existing user. */
export const changedIdentifiers = (
  user: User | undefined,
  { email, externalId }: Pick<UpdateUserRequest, 'email' | 'externalId'>,
): Pick<UpdateUserRequest, 'email' | 'externalId'> => ({
  ...(email !== undefined && emailKey(email) !== user?.emailKey ? { email } : {}),
  ...(externalId !== user?.externalId ? { externalId } : {}),
});

/**
 * Returns whether a change affects the sign-in or the identification of a user. The case of the email address counts, because other people
 * and services see it.
 */
export const changesIdentity = (
  user: User,
  { email, externalId, phoneNumber, emailVerified, phoneVerified, linksIdentity }: ChangedIdentity,
): boolean =>
  linksIdentity === true ||
  (phoneVerified === true && phoneNumber !== undefined && !user.phoneVerified) ||
  (email !== undefined && email !== user.email) ||
  (emailVerified === true && !user.emailVerified) ||
  (externalId !== undefined && externalId !== user.externalId) ||
  (phoneNumber !== undefined && phoneNumber !== user.phoneNumber);
