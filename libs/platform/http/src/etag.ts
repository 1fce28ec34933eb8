import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { etagOf } from '#platform/common';
import { ApiProblems } from './responses.js';

const versions = new WeakMap<object, number>();

/** Sets the version of the resource in a response. The version becomes the ETag header. */
export function withETag<T extends object>(response: T, version: number): T {
  versions.set(response, version);
  return response;
}

export function etagOfResponse(response: object): string | undefined {
  const version = versions.get(response);
  return version === undefined ? undefined : etagOf(version);
}

export const ApiIfMatch = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'Value of the `ETag` header of an earlier response. If the resource has changed since that earlier response, the request changes nothing and returns 412 `precondition_failed`.',
      schema: { type: 'string', example: '"3"' },
    }),
    ApiProblems({ 412: 'The resource has changed since the version in `If-Match` (`precondition_failed`).' }),
  );
