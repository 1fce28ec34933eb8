import type { Schema } from '../../api/client';
import { formatMetadata, metadataChanges, parseMetadata } from './metadata';
import type { User } from './user-queries';

const TEXT_FIELDS = ['firstName', 'lastName', 'displayName', 'phoneNumber', 'picture', 'locale', 'externalId'] as const;

/** The editable fields of the profile, in the order of the form. */
export const PROFILE_FIELDS = ['email', ...TEXT_FIELDS, 'metadata'] as const;
export type ProfileField = (typeof PROFILE_FIELDS)[number];
/** The values of the profile form. An empty text is an absent field. */
export type ProfileValues = Record<ProfileField, string>;

export function profileValuesOf(user: User): ProfileValues {
  const { email, firstName, lastName, displayName, phoneNumber, picture, locale, externalId, metadata } = user;
  return {
    email,
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    displayName: displayName ?? '',
    phoneNumber: phoneNumber ?? '',
    picture: picture ?? '',
    locale: locale ?? '',
    externalId: externalId ?? '',
    metadata: formatMetadata(metadata),
  };
}

/** Returns only the changed fields, so that concurrent changes of other fields are kept. */
export function profileChanges(from: User, values: ProfileValues): Schema<'UpdateUserRequest'> {
  const before = profileValuesOf(from);
  const changed = TEXT_FIELDS.filter((field) => values[field].trim() !== before[field]);
  const metadata = metadataChanges(from.metadata, parseMetadata(values.metadata) ?? {});
  return {
    ...(values.email.trim() === from.email ? {} : { email: values.email.trim() }),
    ...Object.fromEntries(changed.map((field) => [field, values[field].trim() === '' ? null : values[field].trim()])),
    ...(metadata ? { metadata } : {}),
  };
}

/** Returns the fields that differ between two versions of a user. */
export function profileDifferences(before: User, current: User): { field: ProfileField; before: string; current: string }[] {
  const [valuesBefore, currentValues] = [profileValuesOf(before), profileValuesOf(current)];
  return PROFILE_FIELDS.filter((field) => valuesBefore[field] !== currentValues[field]).map((field) => ({
    field,
    before: valuesBefore[field],
    current: currentValues[field],
  }));
}
