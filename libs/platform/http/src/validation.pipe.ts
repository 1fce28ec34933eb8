import { type ArgumentMetadata, Injectable, NotFoundException, type PipeTransform } from '@nestjs/common';
import { type FieldProblem, InvalidRequest } from '#platform/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { complaintOf } from './fields/check.js';

type Place = NonNullable<FieldProblem['in']>;
const MAX_PROBLEMS = 50;

/**
 * Turns bodies and queries into instances of their request class and refuses what is unknown, missing or wrong.
 * @throws InvalidRequest (400) naming each refused field; NotFoundException (404) for a path that names nothing possible
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type, data }: ArgumentMetadata): Promise<unknown> {
    // No id holds one, and PostgreSQL refuses to compare with it.
    if (type === 'param' && String(value).includes('\0')) throw new NotFoundException();
    if (!metatype || type === 'custom' || [String, Number, Boolean, Array, Object].includes(metatype as never)) return value;
    const place: Place = type === 'param' ? 'path' : type;
    if (data !== undefined) return value;
    const given = value ?? {};
    if (typeof given !== 'object' || Array.isArray(given)) {
      throw new InvalidRequest([{ pointer: '', in: place, code: 'wrong_type', message: 'The body must be a JSON object.' }]);
    }
    const reserved = reservedNames(given, '', place);
    if (reserved.length > 0) throw new InvalidRequest(reserved.slice(0, MAX_PROBLEMS));
    const instance = plainToInstance(metatype, given, { exposeUnsetFields: false }) as object;
    const unseen = unseenFields(given, instance, '', place);
    if (unseen.length > 0) throw new InvalidRequest(unseen.slice(0, MAX_PROBLEMS));
    const failures = await validate(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true });
    if (failures.length > 0)
      throw new InvalidRequest(failures.flatMap((failure) => problemsOf(failure, '', place)).slice(0, MAX_PROBLEMS));
    return instance;
  }
}

/**
 * Names that no field may have, at whatever depth: class-transformer would follow the one to a prototype, and call what stands under the
 * other.
 */
const RESERVED_NAMES = new Set(['__proto__', 'constructor']);

function reservedNames(given: unknown, pointer: string, place: Place): FieldProblem[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([name, inner]) => {
    const isReserved = RESERVED_NAMES.has(name);
    if (!isReserved && typeof inner !== 'object') return [];
    const at = `${pointer}/${pointerToken(name)}`;
    return isReserved ? [unknownField(name, at, place)] : reservedNames(inner, at, place);
  });
}

/** Fields named like a member of every object, such as `toString`: class-validator takes them for known. Metadata may have them. */
function unseenFields(given: unknown, instance: unknown, pointer: string, place: Place): FieldProblem[] {
  if (typeof given !== 'object' || given === null || typeof instance !== 'object' || instance === null) return [];
  if (Object.getPrototypeOf(instance) === Object.prototype) return [];
  const names = Array.isArray(instance) ? [] : Object.keys(given).filter((name) => name in Object.prototype);
  return [
    ...names.map((name) => unknownField(name, `${pointer}/${name}`, place)),
    ...Object.entries(instance).flatMap(([name, inner]) =>
      typeof inner === 'object' ? unseenFields((given as Record<string, unknown>)[name], inner, `${pointer}/${name}`, place) : [],
    ),
  ];
}

const unknownField = (name: string, pointer: string, place: Place): FieldProblem => ({
  pointer: pointer.slice(0, 200),
  in: place,
  code: 'unknown_field',
  message: `${name.slice(0, 100)} is not a known ${place === 'query' ? 'parameter' : 'field'}.`,
});

const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function problemsOf(failure: ValidationError, parent: string, place: Place): FieldProblem[] {
  const pointer = `${parent}/${pointerToken(failure.property)}`;
  const nested = (failure.children ?? []).flatMap((child) => problemsOf(child, pointer, place));
  const constraints = failure.constraints ?? {};
  // A missing field fails every other rule, too; only this one says what to do.
  if (constraints.isDefined !== undefined) return [{ pointer, in: place, code: 'required', message: constraints.isDefined }];
  if (constraints.check !== undefined) {
    const complaint = failure.target && complaintOf(failure.target, failure.property);
    return [
      {
        pointer: pointer + (complaint?.path ?? ''),
        in: place,
        code: complaint?.code ?? 'invalid',
        message: `${failure.property} ${constraints.check}`,
      },
    ];
  }
  if (constraints.whitelistValidation !== undefined) return [unknownField(failure.property, pointer, place)];
  return [...Object.values(constraints).map((message) => ({ pointer, in: place, code: 'invalid', message })), ...nested];
}
