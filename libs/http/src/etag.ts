import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { etagOf } from '#common';
import { ApiProblems } from './answers.js';

const versions = new WeakMap<object, number>();

/** Gives an answer the ETag of the resource's version. */
export function etagged<T extends object>(answer: T, version: number): T {
  versions.set(answer, version);
  return answer;
}

/** The ETag that an answer was given. */
export function etagOfAnswer(answer: object): string | undefined {
  const version = versions.get(answer);
  return version === undefined ? undefined : etagOf(version);
}

/** Documents a change that can be made to depend on the resource being as it was read. */
export const ApiIfMatch = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The ETag of the answer that you read: the change is made only if nobody changed the resource since.',
      schema: { type: 'string', example: '"3"' },
    }),
    ApiProblems({ 412: 'The resource was changed since it was read (If-Match).' }),
  );
