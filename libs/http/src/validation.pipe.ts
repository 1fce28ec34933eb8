import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type FieldProblem, InvalidRequest } from '#common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { complaintOf } from './fields/check.js';

type Place = NonNullable<FieldProblem['in']>;
const MAX_PROBLEMS = 50;

/**
 * Turns bodies and queries into instances of their request class and refuses what is unknown, missing or wrong.
 * @throws InvalidRequest (400) naming each refused field.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type, data }: ArgumentMetadata): Promise<unknown> {
    if (!metatype || type === 'custom' || [String, Number, Boolean, Array, Object].includes(metatype as never)) return value;
    const place: Place = type === 'param' ? 'path' : type;
    if (data !== undefined) return value;
    const given = value ?? {};
    if (typeof given !== 'object' || Array.isArray(given)) {
      throw new InvalidRequest([{ pointer: '', in: place, code: 'wrong_type', message: 'The body must be a JSON object.' }]);
    }
    const instance = plainToInstance(metatype, withoutPrototype(given), { exposeUnsetFields: false }) as object;
    const failures = await validate(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true });
    if (failures.length > 0)
      throw new InvalidRequest(failures.flatMap((failure) => problemsOf(failure, '', place)).slice(0, MAX_PROBLEMS));
    return instance;
  }
}

/** `__proto__` in JSON is an own key that copying would follow; no request has a use for it at the top. */
function withoutPrototype(given: object): object {
  if (!Object.hasOwn(given, '__proto__')) return given;
  throw new InvalidRequest([{ pointer: '/__proto__', code: 'unknown_field', message: '__proto__ is not a known field.' }]);
}

function problemsOf(failure: ValidationError, parent: string, place: Place): FieldProblem[] {
  const pointer = `${parent}/${failure.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
  if (constraints.whitelistValidation !== undefined) {
    const name = failure.property.slice(0, 100);
    return [
      {
        pointer: pointer.slice(0, 200),
        in: place,
        code: 'unknown_field',
        message: `${name} is not a known ${place === 'query' ? 'parameter' : 'field'}.`,
      },
    ];
  }
  return [...Object.values(constraints).map((message) => ({ pointer, in: place, code: 'invalid', message })), ...nested];
}
