import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { InvalidRequest } from '#platform/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { DataResponse } from '../responses.js';
import { requestOf, type ServiceRequest } from '../request.js';
import { SessionCookie } from './session-cookie.js';

const HEADER = 'session-transport';

interface SessionData {
  readonly sessionToken?: string;
  readonly session?: { readonly expiresAt: string; readonly impersonator?: object };
}

/**
 * Marks an operation whose response can contain a `sessionToken`, which belongs to a new session or replaces the current session's token.
 * For pages of the service, the token is in the session cookie instead, because scripts can't read the cookie.
 */
export const OpensSession = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(SessionTransportInterceptor),
    ApiHeader({
      name: HEADER,
      required: false,
      description:
        "Set to `cookie` to receive the session token in an HttpOnly session cookie instead of in the response body. Only the service's own pages can do this. A request that is authenticated with the session cookie always receives the token in the cookie.",
      schema: { type: 'string', enum: ['cookie'], example: 'cookie' },
    }),
  );

/**
 * Moves session tokens to the cookie if the caller requested the cookie. Must be the innermost interceptor, so that no other interceptor
 * can read the tokens.
 */
@Injectable()
export class SessionTransportInterceptor implements NestInterceptor {
  constructor(private readonly cookie: SessionCookie) {}

  /** @throws InvalidRequest (400), CrossOrigin (403) */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    if (!this.isForCookie(request)) return next.handle();
    this.cookie.assertOwnPage(request);
    request.context = { ...request.context, source: 'dashboard' };
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(map((body: DataResponse<SessionData>) => this.moveToCookie(body, request, response)));
  }

  private isForCookie(request: ServiceRequest): boolean {
    const transport = request.headers[HEADER];
    if (transport !== undefined && transport !== 'cookie') {
      const message = `${HEADER} must be "cookie" or absent.`;
      throw new InvalidRequest([{ pointer: `/${HEADER}`, in: 'header', code: 'invalid_choice', message }]);
    }
    if (transport === 'cookie') return true;
    return request.context.session !== undefined && this.cookie.tokenOf(request) !== undefined;
  }

  private moveToCookie(body: DataResponse<SessionData>, request: ServiceRequest, response: Response): DataResponse<SessionData> {
    const { sessionToken, ...data } = body.data;
    if (sessionToken === undefined) return body;
    const expiresAt = data.session ? new Date(data.session.expiresAt) : request.context.session?.expiresAt;
    if (!expiresAt) throw new Error('A response with a session token must say when the session expires.');
    this.cookie.set(response, sessionToken, expiresAt, { isImpersonation: data.session?.impersonator !== undefined });
    return { data };
  }
}
