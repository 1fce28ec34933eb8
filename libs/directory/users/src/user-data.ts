import type { UserCreatedData, UserData } from '#platform/events';
import type { User } from './user.entity.js';
import { fieldValues, USER_FIELD_NAMES } from './user-fields.js';

/** Returns the `data` of `user.created`. */
export const userCreatedData = ({ id, email, firstName, lastName, status, createdAt }: User): UserCreatedData => ({
  id,
  email,
  firstName,
  lastName,
  status,
  createdAt: createdAt.toISOString(),
});

export function userData(user: User): UserData {
  const { status, managedBy, emailVerified, phoneVerified, mfaEnabled, mfaMethods, metadata } = user;
  const { externalId, ...fields } = fieldValues(USER_FIELD_NAMES, user);
  return {
    id: user.id,
    email: user.email,
    ...fields,
    ...(externalId === null ? {} : { externalId }),
    ...(managedBy === null ? {} : { managedBy }),
    status,
    emailVerified,
    phoneVerified,
    mfaEnabled,
    mfaMethods,
    metadata,
    lastLoginAt: user.lastLoginAt?.toISOString() ?? null,
    lastPasswordChangeAt: user.lastPasswordChangeAt?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}
