import type { Type } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { namesShownIn, type ShownFieldName, USER_FIELD_NAMES, type UserFieldName, userFieldOf } from './user-fields.js';

type Texts<Name extends string, Value> = { [Key in Name]?: Value };

/** Returns a class for requests that create users: the base class with the text fields of a user, all optional. */
export function withFieldsToCreate<Base extends object>(base: Type<Base>): Type<Base & Texts<UserFieldName, string>> {
  return withFields(base, USER_FIELD_NAMES, (name) => {
    const { decorator, description, example, create } = userFieldOf(name);
    return decorator({ description, example, ...create });
  });
}

/** Returns a class for requests that update users: the base class with the text fields of a user. `null` removes a value. */
export function withFieldsToUpdate<Base extends object>(base: Type<Base>): Type<Base & Texts<UserFieldName, string | null>> {
  return withFields(base, USER_FIELD_NAMES, (name) => {
    const { decorator, description, update } = userFieldOf(name);
    return decorator({ description: `${description} \`null\` removes it.`, ...update, nullable: true });
  });
}

/** Returns a class for responses: the base class with all text fields of a user. A field is absent if the user has no value. */
export function withAllFields<Base extends object>(base: Type<Base>): Type<Base & Texts<UserFieldName, string>> {
  return withFields(base, USER_FIELD_NAMES, responseDecorator);
}

/** Returns a class for responses: the base class with the text fields that this response contains. */
export function withFieldsShownIn<Base extends object, R extends 'list' | 'created'>(
  base: Type<Base>,
  response: R,
): Type<Base & Texts<ShownFieldName<R>, string>> {
  return withFields(base, namesShownIn(response), responseDecorator);
}

function responseDecorator(name: UserFieldName): PropertyDecorator {
  const { description, example, response } = userFieldOf(name);
  return ApiPropertyOptional({ type: String, description, example, ...response });
}

function withFields<Base extends object, Fields extends object>(
  base: Type<Base>,
  names: readonly UserFieldName[],
  decoratorOf: (name: UserFieldName) => PropertyDecorator,
): Type<Base & Fields> {
  class WithUserFields extends (base as Type<object>) {}
  for (const name of names) decoratorOf(name)(WithUserFields.prototype, name);
  return WithUserFields as Type<Base & Fields>;
}
