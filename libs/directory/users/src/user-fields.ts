import type { ApiPropertyOptions } from '@nestjs/swagger';
import { type FieldOptions, LocaleField, TextField, WebAddressField } from '#platform/http';

/** Responses that contain only some text fields. `updated` also contains the text fields of the request. */
type PartialResponse = 'list' | 'created' | 'updated';

interface UserField {
  /** Returns the decorator that validates, converts and documents the field in requests. */
  readonly decorator: (options: FieldOptions) => PropertyDecorator;
  readonly description: string;
  readonly example: string;
  /** Options in requests that create users. Override `description` and `example`. */
  readonly create?: Partial<FieldOptions>;
  /** Options in requests that update users. Override the default description, which is `description` and a sentence about `null`. */
  readonly update?: Partial<FieldOptions>;
  /** Options in responses. Override `description` and `example`. */
  readonly response?: ApiPropertyOptions;
  readonly shownIn: readonly PartialResponse[];
}

/**
 * The optional text fields of a user, in requests, responses, lists, exports, imports and events. A new field also requires an entry in
 * `User`, an entry in `USER_TEXTS` of the events and a migration for the column.
 */
export const USER_FIELDS = {
  firstName: {
    decorator: (options) => TextField({ ...options, maxLength: 100 }),
    description: 'First name.',
    example: 'Jane',
    update: { example: 'Janet' },
    response: { description: undefined },
    shownIn: ['list', 'created', 'updated'],
  },
  lastName: {
    decorator: (options) => TextField({ ...options, maxLength: 100 }),
    description: 'Last name.',
    example: 'Doe',
    response: { description: undefined },
    shownIn: ['list', 'created', 'updated'],
  },
  displayName: {
    decorator: (options) => TextField({ ...options, maxLength: 200 }),
    description: 'Name that is displayed to other users.',
    example: 'Jane Doe',
    shownIn: ['list', 'updated'],
  },
  phoneNumber: {
    decorator: (options) =>
      TextField({
        ...options,
        maxLength: 40,
        pattern: /^[+0-9(][0-9 ()./-]{2,39}$/,
        patternMessage: 'must be a phone number such as +1 415 555 0132.',
      }),
    description: 'Phone number.',
    example: '+1 415 555 0132',
    update: {
      description: 'Phone number. A new phone number is unverified. `null` removes it.',
      example: '+1 415 555 0132',
    },
    response: { description: undefined },
    shownIn: [],
  },
  picture: {
    decorator: WebAddressField,
    description: 'URL of the profile picture.',
    example: 'https://cdn.example.com/avatars/jane-doe.png',
    response: { format: 'uri' },
    shownIn: [],
  },
  locale: {
    decorator: LocaleField,
    description: 'Language of the user as a BCP 47 tag.',
    example: 'de',
    create: {
      description:
        'Language of the user as a BCP 47 tag. Without `locale`, the setting `defaultLocale` of the organization applies.',
    },
    update: { example: 'pt-BR' },
    shownIn: [],
  },
  externalId: {
    decorator: (options) => TextField({ ...options, maxLength: 200 }),
    description: 'Id of the user in your own system, unique in the tenant.',
    example: 'emp-10482',
    update: { example: 'emp-10482' },
    response: { description: 'Id of the user in your own system.' },
    shownIn: ['list', 'created'],
  },
} as const satisfies Record<string, UserField>;

export type UserFieldName = keyof typeof USER_FIELDS;

export type ShownFieldName<R extends PartialResponse> = {
  [Name in UserFieldName]: R extends (typeof USER_FIELDS)[Name]['shownIn'][number] ? Name : never;
}[UserFieldName];

export const USER_FIELD_NAMES = Object.keys(USER_FIELDS) as UserFieldName[];

/** Returns a field with the type of all options. */
export const userFieldOf = (name: UserFieldName): UserField => USER_FIELDS[name];

export const namesShownIn = <R extends PartialResponse>(response: R): ShownFieldName<R>[] =>
  USER_FIELD_NAMES.filter((name) => userFieldOf(name).shownIn.includes(response)) as ShownFieldName<R>[];

type FieldSource<Name extends UserFieldName> = { readonly [Key in Name]?: string | null | undefined };

/** Returns the values of the fields, or null for fields without a value. */
export function fieldValues<Name extends UserFieldName>(
  names: readonly Name[],
  source: FieldSource<Name>,
): Record<Name, string | null> {
  const values: Partial<Record<Name, string | null>> = {};
  for (const name of names) values[name] = source[name] ?? null;
  return values as Record<Name, string | null>;
}

/** Returns the values of fields that are not null, for responses. */
export function presentFields<Name extends UserFieldName>(
  names: readonly Name[],
  source: FieldSource<Name>,
): { [Key in Name]?: string } {
  const present: { [Key in Name]?: string } = {};
  for (const name of names) {
    const value = source[name];
    if (value !== null && value !== undefined) present[name] = value;
  }
  return present;
}

export const columnOfField = (name: UserFieldName): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
