import { applyDecorators, type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { etagOf } from '#common';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { ApiProblems } from './answers.js';

const versions = new WeakMap<object, number>();

/** Gives an answer the ETag of the resource's version. */
export function etagged<T extends object>(answer: T, version: number): T {
  versions.set(answer, version);
  return answer;
}

/** Writes the ETag of answers that have one. */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap((answer: unknown) => {
        const version = typeof answer === 'object' && answer !== null ? versions.get(answer) : undefined;
        if (version !== undefined) context.switchToHttp().getResponse<Response>().setHeader('ETag', etagOf(version));
      }),
    );
  }
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
