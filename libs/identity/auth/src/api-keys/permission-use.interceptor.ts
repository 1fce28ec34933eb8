import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { REQUIRED_ACCESS, type RequiredAccess } from '#platform/common';
import { requestOf } from '#platform/http';
import type { Observable } from 'rxjs';
import { ApiKeyUsageService } from './api-key-usage.service.js';

/** Records the permission that a request with an API key needed. Interceptors run only after the guards have accepted a request. */
@Injectable()
export class PermissionUseInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeyUsage: ApiKeyUsageService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { kind, tenantId, id } = requestOf(context).context.caller;
    const targets = [context.getHandler(), context.getClass()];
    const access =
      kind === 'key' ? this.reflector.getAllAndOverride<RequiredAccess | undefined>(REQUIRED_ACCESS, targets) : undefined;
    if (access && tenantId && id) this.apiKeyUsage.recordPermissionUse({ tenantId, id }, access.permission);
    return next.handle();
  }
}
