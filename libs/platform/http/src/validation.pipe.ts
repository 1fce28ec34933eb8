import { type ArgumentMetadata, Injectable, NotFoundException, type PipeTransform, type Type } from '@nestjs/common';
import {
  type FieldProblem,
  InvalidRequest,
  jsonPointerToken,
  memberPointer,
  suggestion,
  type ViolatedLimits,
} from '#platform/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { fieldErrorOf } from './fields/check.js';
import { type KnownField, knownFields } from './fields/known-fields.js';

type Location = NonNullable<FieldProblem['in']>;

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
    const shape = new InputShape(location);
    const known = shape.knownPart(input, metatype, '');
    if (!shape.isConvertible) throw new InvalidRequest(shape.problems);
    const instance = plainToInstance(metatype, known, { exposeUnsetFields: false }) as object;
    const failures = await validate(instance, { forbidUnknownValues: true });
    const problems = [...shape.problems, ...failures.flatMap((failure) => problemsOf(failure, '', location))];
    if (problems.length > 0) throw new InvalidRequest(problems);
    return instance;
  }
}

/**
 * Names that no field can have at any depth. class-transformer would assign `__proto__` to the prototype and call the value of
 * `constructor`.
 */
const RESERVED_NAMES = new Set(['__proto__', 'constructor']);

/**
 * Checks names and sizes of an input before it is converted and validated, which costs a hundred times as much for each value: 80,000 items
 * would block other requests for seconds.
 */
class InputShape {
  readonly problems: FieldProblem[] = [];
  /** False if a list has too many items, or if an object has a reserved name. */
  isConvertible = true;

  constructor(private readonly location: Location) {}

  /** Returns the fields of an object that its class declares. Adds a problem for each other field, and for each list with too many items. */
  knownPart(input: object, type: Type<unknown>, pointer: string): object {
    const fields = knownFields(type);
    return Object.fromEntries(
      Object.entries(input).flatMap(([name, value]) => {
        const field = fields.get(name);
        const at = memberPointer(pointer, name);
        if (field) return [[name, this.valuePart(value, field, at)]];
        this.problems.push(unknownField(name, at, this.location, fields.keys()));
        return [];
      }),
    );
  }

  private valuePart(value: unknown, { type, maxItems }: KnownField, pointer: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (!type) {
      this.checkNames(value, pointer);
      return value;
    }
    const isList = Array.isArray(value);
    // A list instead of an object, or an object instead of a list, is invalid whatever it contains.
    if (isList !== (maxItems !== undefined)) return isList ? [] : {};
    if (!isList) return this.knownPart(value, type(), pointer);
    if (value.length <= maxItems!) return value.map((item, index) => this.valuePart(item, { type }, `${pointer}/${index}`));
    this.isConvertible = false;
    const name = pointer.slice(pointer.lastIndexOf('/') + 1);
    const message = `${name} must have at most ${maxItems} items.`;
    this.problems.push({ pointer, in: this.location, code: 'too_many', maximum: maxItems!, message });
    return [];
  }

  /** Adds a problem for each reserved name in a value without declared fields, such as metadata. */
  private checkNames(value: object, pointer: string): void {
    for (const [name, inner] of Object.entries(value)) {
      const at = memberPointer(pointer, name);
      if (RESERVED_NAMES.has(name)) {
        this.isConvertible = false;
        this.problems.push(unknownField(name, at, this.location));
      } else if (typeof inner === 'object' && inner !== null) this.checkNames(inner, at);
    }
  }
}

const unknownField = (name: string, pointer: string, location: Location, known: Iterable<string> = []): FieldProblem => ({
  pointer,
  in: location,
  code: 'unknown_field',
  message: `${name.slice(0, 100)} is not a known ${location === 'query' ? 'parameter' : 'field'}.${suggestion(name, known)}`,
});

const limitsOf = ({ minimum, maximum }: ViolatedLimits = {}): ViolatedLimits => ({
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
});

function problemsOf(failure: ValidationError, parent: string, location: Location): FieldProblem[] {
  const pointer = `${parent}/${jsonPointerToken(failure.property)}`;
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
        ...limitsOf(fieldError),
        message: `${failure.property} ${constraints.check}`,
      },
    ];
  }
  const others = Object.values(constraints).map((message): FieldProblem => ({ pointer, in: location, code: 'invalid', message }));
  return [...others, ...nested];
}
