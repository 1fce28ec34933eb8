import { type ArgumentMetadata, Injectable, NotFoundException, type PipeTransform } from '@nestjs/common';
import { type FieldProblem, InvalidRequest } from '#platform/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { fieldErrorOf } from './fields/check.js';

type Location = NonNullable<FieldProblem['in']>;
const MAX_PROBLEMS = 50;

/**
 * Converts bodies and queries to instances of their request class. Rejects unknown, missing and invalid fields.
 * @throws InvalidRequest (400) with each invalid field
 * @throws NotFoundException (404) for a path parameter with NUL
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type, data }: ArgumentMetadata): Promise<unknown> {
    // No ID contains NUL, and PostgreSQL can't compare texts with NUL.
    if (type === 'param' && String(value).includes('\0')) throw new NotFoundException();
    if (!metatype || type === 'custom' || [String, Number, Boolean, Array, Object].includes(metatype as never)) return value;
    const location: Location = type === 'param' ? 'path' : type;
    if (data !== undefined) return value;
    const input = value ?? {};
    if (typeof input !== 'object' || Array.isArray(input)) {
      throw new InvalidRequest([{ pointer: '', in: location, code: 'wrong_type', message: 'The body must be a JSON object.' }]);
    }
    const reserved = reservedNames(input, '', location);
    if (reserved.length > 0) throw new InvalidRequest(reserved.slice(0, MAX_PROBLEMS));
    const instance = plainToInstance(metatype, input, { exposeUnsetFields: false }) as object;
    const inherited = inheritedNames(input, instance, '', location);
    if (inherited.length > 0) throw new InvalidRequest(inherited.slice(0, MAX_PROBLEMS));
    const failures = await validate(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true });
    if (failures.length > 0)
      throw new InvalidRequest(failures.flatMap((failure) => problemsOf(failure, '', location)).slice(0, MAX_PROBLEMS));
    return instance;
  }
}

/**
 * Names that no field can have at any depth. class-transformer would assign `__proto__` to the prototype and call the value of
 * `constructor`.
 */
const RESERVED_NAMES = new Set(['__proto__', 'constructor']);

function reservedNames(input: unknown, pointer: string, location: Location): FieldProblem[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, inner]) => {
    const isReserved = RESERVED_NAMES.has(name);
    if (!isReserved && typeof inner !== 'object') return [];
    const at = `${pointer}/${pointerToken(name)}`;
    return isReserved ? [unknownField(name, at, location)] : reservedNames(inner, at, location);
  });
}

/**
 * Rejects fields with the name of a member of every object, such as `toString`, because class-validator accepts them. Metadata can have
 * such fields.
 */
function inheritedNames(input: unknown, instance: unknown, pointer: string, location: Location): FieldProblem[] {
  if (typeof input !== 'object' || input === null || typeof instance !== 'object' || instance === null) return [];
  if (Object.getPrototypeOf(instance) === Object.prototype) return [];
  const names = Array.isArray(instance) ? [] : Object.keys(input).filter((name) => name in Object.prototype);
  return [
    ...names.map((name) => unknownField(name, `${pointer}/${name}`, location)),
    ...Object.entries(instance).flatMap(([name, inner]) =>
      typeof inner === 'object'
        ? inheritedNames((input as Record<string, unknown>)[name], inner, `${pointer}/${name}`, location)
        : [],
    ),
  ];
}

const unknownField = (name: string, pointer: string, location: Location): FieldProblem => ({
  pointer: pointer.slice(0, 200),
  in: location,
  code: 'unknown_field',
  message: `${name.slice(0, 100)} is not a known ${location === 'query' ? 'parameter' : 'field'}.`,
});

const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function problemsOf(failure: ValidationError, parent: string, location: Location): FieldProblem[] {
  const pointer = `${parent}/${pointerToken(failure.property)}`;
  const nested = (failure.children ?? []).flatMap((child) => problemsOf(child, pointer, location));
  const constraints = failure.constraints ?? {};
  // A missing field violates all rules, but only the message about the missing field helps.
  if (constraints.isDefined !== undefined) return [{ pointer, in: location, code: 'required', message: constraints.isDefined }];
  if (constraints.check !== undefined) {
    const fieldError = failure.target && fieldErrorOf(failure.target, failure.property);
    return [
      {
        pointer: pointer + (fieldError?.path ?? ''),
        in: location,
        code: fieldError?.code ?? 'invalid',
        message: `${failure.property} ${constraints.check}`,
      },
    ];
  }
  if (constraints.whitelistValidation !== undefined) return [unknownField(failure.property, pointer, location)];
  return [...Object.values(constraints).map((message) => ({ pointer, in: location, code: 'invalid', message })), ...nested];
}
