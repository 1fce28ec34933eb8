import { canonicalLocale, emailKey, isVisible, webUri } from '#platform/common';
import { isMailAddress } from '#platform/http';
import { isObject, type ScimObject } from '../protocol/resource.js';
import { ScimRequestInvalid } from '../protocol/scim-errors.js';
import { assertUserName, userNameKeyOf } from './user-name.js';

/** The fields of a user that attributes decide. */
export interface UserFields {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly displayName: string | null;
  readonly phoneNumber: string | null;
  readonly locale: string | null;
  readonly picture: string | null;
}

const MAX_NAME_LENGTH = 100;
const MAX_DISPLAY_NAME_LENGTH = 200;
/** Longer values don't fit into the indexes by which the connection finds a user. */
const MAX_KEY_LENGTH = 500;
const PHONE_NUMBER = /^[+0-9(][0-9 ()./-]{2,39}$/;
const MAX_PICTURE_LENGTH = 2_048;

/** Returns the values of a list such as `emails`. */
export const valuesOf = (resource: ScimObject, name: string): ScimObject[] =>
  Array.isArray(resource[name]) ? (resource[name] as unknown[]).filter(isObject) : [];

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the preferred value of a list: the primary one, the one of type "work", or the first. */
export const preferred = (values: readonly ScimObject[]): ScimObject | undefined =>
  values.find(({ primary }) => primary === true) ??
  values.find(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work') ??
  values[0];

/**
 * Returns the fields of the user that the attributes decide. Phone numbers, languages and pictures in other forms than the service knows
 * stay attributes only.
 * @throws ScimRequestInvalid (400, invalidValue)
 */
export function fieldsOf(resource: ScimObject): UserFields {
  const name = isObject(resource['name']) ? resource['name'] : {};
  const phoneNumber = textOf(preferred(valuesOf(resource, 'phoneNumbers'))?.['value'])?.replace(/^tel:/i, '') ?? null;
  const locale = textOf(resource['preferredLanguage']) ?? textOf(resource['locale']);
  const picture = textOf(preferred(valuesOf(resource, 'photos'))?.['value']);
  return {
    email: emailOf(resource),
    firstName: limited('name.givenName', textOf(name['givenName']), MAX_NAME_LENGTH),
    lastName: limited('name.familyName', textOf(name['familyName']), MAX_NAME_LENGTH),
    displayName: limited('displayName', textOf(resource['displayName']) ?? textOf(name['formatted']), MAX_DISPLAY_NAME_LENGTH),
    phoneNumber: phoneNumber !== null && PHONE_NUMBER.test(phoneNumber) ? phoneNumber : null,
    locale: locale === null ? null : (canonicalLocale(locale.replaceAll('_', '-')) ?? null),
    picture: picture === null ? null : webAddressOf(picture),
  };
}

/** @throws ScimRequestInvalid (400, invalidValue) when no address is valid */
function emailOf(resource: ScimObject): string {
  const address = textOf(preferred(valuesOf(resource, 'emails'))?.['value']);
  const userName = textOf(resource['userName']) ?? '';
  const email = (address ?? userName).trim();
  if (isMailAddress(email)) return email;
  throw new ScimRequestInvalid(
    'invalidValue',
    address === null
      ? 'The user needs an email address: send "emails", or an email address as "userName".'
      : `"${address.slice(0, 100)}" in "emails" is not an email address.`,
  );
}

function limited(path: string, value: string | null, maxLength: number): string | null {
  const trimmed = value?.normalize('NFC').trim() ?? '';
  if (trimmed.length > maxLength)
    throw new ScimRequestInvalid('invalidValue', `The attribute "${path}" is longer than ${maxLength} characters.`);
  if (trimmed === '') return null;
  if (!isVisible(trimmed)) throw new ScimRequestInvalid('invalidValue', `The attribute "${path}" must have a visible character.`);
  return trimmed;
}

/** Returns the URI that the field `picture` of the API has for an address, or null if the API rejects the address. */
function webAddressOf(text: string): string | null {
  const uri = text.length > MAX_PICTURE_LENGTH ? undefined : webUri(text.normalize('NFC').trim());
  return uri === undefined || uri.length > MAX_PICTURE_LENGTH ? null : uri;
}

/** Returns all email addresses of a user for comparisons. */
function emailKeysOf(resource: ScimObject, email: string): string[] {
  const values = valuesOf(resource, 'emails').flatMap(({ value }) => (typeof value === 'string' ? [emailKey(value)] : []));
  return [...new Set([emailKey(email), ...values])];
}

/** Returns the columns of a user by which the connection finds it. @throws ScimRequestInvalid (400, invalidValue) when one is too long */
export function keysOf(resource: ScimObject, { email }: UserFields) {
  const userName = String(resource['userName']);
  const { externalId = null } = resource;
  assertKeyLength('userName', userName);
  assertUserName(userName);
  assertKeyLength('externalId', externalId);
  for (const { value } of valuesOf(resource, 'emails')) assertKeyLength('emails.value', value);
  return {
    userName,
    userNameKey: userNameKeyOf(userName),
    externalId: externalId as string | null,
    emailKeys: emailKeysOf(resource, email),
  };
}

function assertKeyLength(path: string, value: unknown): void {
  if (typeof value === 'string' && value.length > MAX_KEY_LENGTH)
    throw new ScimRequestInvalid('invalidValue', `The attribute "${path}" is longer than ${MAX_KEY_LENGTH} characters.`);
}
