import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { REQUIRED_ACCESS, type RequiredAccess } from '#platform/common';
import { FORWARDING_PERMISSION, requestOf } from '#platform/http';
import { oncePerHandler } from '../access/once-per-handler.js';
import { ApiKeyUsageService } from './api-key-usage.service.js';

/**
 * Records which permission a request with an API key needed, after the other guards have accepted the request. Rejects nothing: it is a
 * guard because an interceptor on every route costs 10 % of the CPU time of a request in NestJS and RxJS.
 */
@Injectable()
export class PermissionUseGuard implements CanActivate {
  private readonly readAccess = oncePerHandler((context) =>
    this.reflector.getAllAndOverride<RequiredAccess | undefined>(REQUIRED_ACCESS, [context.getHandler(), context.getClass()]),
  );

  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeyUsage: ApiKeyUsageService,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { caller, forwardedBy } = requestOf(context).context;
    const { kind, tenantId, id } = forwardedBy ?? caller;
    if (kind !== 'key' || !tenantId || !id) return true;
    const permission = forwardedBy ? FORWARDING_PERMISSION : this.readAccess(context)?.permission;
    if (permission) this.apiKeyUsage.recordPermissionUse({ tenantId, id }, permission);
    return true;
  }
}
