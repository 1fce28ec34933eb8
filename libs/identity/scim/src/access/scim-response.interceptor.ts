import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { requestOf, SCIM_MEDIA_TYPE, type ServiceRequest } from '#platform/http';
import { ScimConnectionStopped } from '#directory/scim-connections';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { isObject } from '../protocol/resource.js';

/** Modes in which the connection accepts changes. */
const ACCEPTING_MODES = new Set(['active', 'preview']);

/** Rejects changes by stopped connections. Sets the media type, `ETag` and `Location` of responses. The services check `If-Match`, whose versions SCIM writes in its own form. */
@Injectable()
export class ScimResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    const { ifMatch: _, ...withoutVersion } = request.context;
    request.context = withoutVersion;
    assertAcceptsChanges(request);
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((body: unknown) => {
        if (body !== undefined) response.setHeader('Content-Type', `${SCIM_MEDIA_TYPE}; charset=utf-8`);
        const meta = isObject(body) ? body['meta'] : undefined;
        if (!isObject(meta)) return body;
        if (typeof meta['version'] === 'string') response.setHeader('ETag', meta['version']);
        if (response.statusCode === 201 && typeof meta['location'] === 'string') response.setHeader('Location', meta['location']);
        return body;
      }),
    );
  }
}

/** @throws ScimConnectionStopped (503) */
function assertAcceptsChanges({ method, path, context: { caller } }: ServiceRequest): void {
  const isRead = method === 'GET' || method === 'HEAD' || path.endsWith('/.search');
  if (!isRead && caller.scim && !ACCEPTING_MODES.has(caller.scim.mode)) throw new ScimConnectionStopped();
}
