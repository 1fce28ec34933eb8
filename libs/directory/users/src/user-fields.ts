import { emailKey, mergeMetadata, newId, type OrganizationScope } from '#platform/common';
import type { OrganizationSettings } from '#directory/organizations';
import { DomainNotAllowed } from './user-errors.js';
import type { CreateUserRequest, UpdateUserRequest } from './user.requests.js';
import { User } from './user.entity.js';

/** A new, pending user of an organization. */
export function newUser(organization: OrganizationScope, request: CreateUserRequest, now: Date): User {
  return Object.assign(new User(), {
    id: newId('user'),
    tenantId: organization.tenantId,
    organizationId: organization.id,
    email: request.email,
    emailKey: emailKey(request.email),
    emailVerified: false,
    firstName: request.firstName ?? null,
    lastName: request.lastName ?? null,
    displayName: request.displayName ?? null,
    picture: request.picture ?? null,
    phoneNumber: request.phoneNumber ?? null,
    phoneVerified: false,
    locale: request.locale ?? null,
    externalId: request.externalId ?? null,
    status: 'pending',
    statusBeforeDeletion: null,
    mfaEnabled: false,
    mfaMethods: [],
    metadata: request.metadata ?? {},
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
  const domain = emailKey(email).slice(email.lastIndexOf('@') + 1);
  if (allowedDomains.length > 0 && !allowedDomains.includes(domain)) throw new DomainNotAllowed(domain, allowedDomains);
}

/** Puts the fields sent into a user; `metadata` by key. @throws InvalidRequest (400) when the metadata grow too large */
export function applyFields(user: User, request: UpdateUserRequest): void {
  if (request.email !== undefined) {
    user.email = request.email;
    user.emailKey = emailKey(request.email);
  }
  if (request.phoneNumber !== undefined && request.phoneNumber !== user.phoneNumber) {
    user.phoneNumber = request.phoneNumber;
    user.phoneVerified = false;
  }
  if (request.firstName !== undefined) user.firstName = request.firstName;
  if (request.lastName !== undefined) user.lastName = request.lastName;
  if (request.displayName !== undefined) user.displayName = request.displayName;
  if (request.picture !== undefined) user.picture = request.picture;
  if (request.locale !== undefined) user.locale = request.locale;
  if (request.externalId !== undefined) user.externalId = request.externalId;
  if (request.metadata) user.metadata = mergeMetadata(user.metadata, request.metadata);
}

/** Whether a change affects how a user signs in, or by what messages and other systems recognize the user. */
export const changesIdentity = (
  user: User,
  { email, externalId, phoneNumber }: Pick<UpdateUserRequest, 'email' | 'externalId' | 'phoneNumber'>,
): boolean =>
  (email !== undefined && emailKey(email) !== user.emailKey) ||
  (externalId !== undefined && externalId !== user.externalId) ||
  (phoneNumber !== undefined && phoneNumber !== user.phoneNumber);
