import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiQuery } from '@nestjs/swagger';
import { type FieldProblem, InvalidRequest, organizationOf } from '#platform/common';
import { ApiProblems, requestOf } from '#platform/http';
import { from, mergeMap, type Observable } from 'rxjs';
import { AsOfService } from './as-of.service.js';

const MAX_PROBLEMS = 50;
const OTHER_PARAMETERS = 'as-of-other-parameters';

/**
 * Replaces the context of a request with `asOf` by the context of the moment. Nest resolves `@Ctx()` after this interceptor has started. Does
 * nothing without `asOf`.
 */
@Injectable()
export class AsOfInterceptor implements NestInterceptor {
  constructor(
    private readonly moments: AsOfService,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    const { asOf, ...others } = request.query;
    if (this.reflector.get<string>(OTHER_PARAMETERS, context.getHandler()) === undefined) assertNone(Object.keys(others));
    if (asOf === undefined) return next.handle();
    const ctx = request.context;
    const past = this.moments.contextAt(ctx, organizationOf(ctx), { moment: asOf, handle: String(request.params.org) });
    return from(past).pipe(
      mergeMap((pastContext) => {
        request.context = pastContext;
        return next.handle();
      }),
    );
  }
}

/** Rejects other parameters: a misspelled `asOf` must not return the present. @throws InvalidRequest (400) */
function assertNone(names: readonly string[]): void {
  if (names.length === 0) return;
  const problems = names.map((name): FieldProblem => {
    const shown = name.slice(0, 100);
    return { pointer: `/${shown}`, in: 'query', code: 'unknown_field', message: `${shown} is not a known parameter.` };
  });
  throw new InvalidRequest(problems.slice(0, MAX_PROBLEMS));
}

/**
 * Declares a read of an organization with the query parameter `asOf`: the response is as of this moment. In a list of decorators, `@Post()`
 * comes after this decorator, so that the record for an `Idempotency-Key` is read and written as of now. With `otherParameters`, the handler
 * validates the query with a subclass of `AsOfPageQuery`.
 */
export const AsOf = ({ otherParameters = false } = {}): MethodDecorator =>
  applyDecorators(
    ...(otherParameters ? [SetMetadata(OTHER_PARAMETERS, 'yes')] : []),
    UseInterceptors(AsOfInterceptor),
    ApiQuery({
      name: 'asOf',
      required: false,
      description:
        'A past moment, with a time zone. The response is the response that the service gave at this moment, without users and organizations that were permanently deleted since then. The present permissions of the caller apply.',
      schema: { type: 'string', format: 'date-time', example: '2027-03-03T10:00:00.000Z' },
    }),
    ApiProblems({ 410: 'The history does not reach back to `asOf` (`history_unavailable`).' }),
  );
