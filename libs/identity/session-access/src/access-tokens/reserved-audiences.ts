import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';

/** Tokens for this audience are issued in another way: 409. Does not say to whom the audience belongs. */
export class AudienceReserved extends DomainError {
  readonly code = 'audience_reserved';
  readonly kind = 'conflict';
  constructor(audience: string) {
    super(
      `Access tokens for the audience "${audience}" are issued only to OAuth clients. Request them at /oauth/token, or choose another audience.`,
    );
  }
}

/** The registry of audiences for which a session gets no access tokens. A library registers its check when its module starts. */
@Injectable()
export class ReservedAudiences {
  private readonly checks: ((ctx: RequestContext, audience: string) => Promise<boolean>)[] = [];

  register(isReserved: (ctx: RequestContext, audience: string) => Promise<boolean>): void {
    this.checks.push(isReserved);
  }

  /** @throws AudienceReserved (409) */
  async assertFree(ctx: RequestContext, audience: string): Promise<void> {
    for (const isReserved of this.checks) if (await isReserved(ctx, audience)) throw new AudienceReserved(audience);
  }
}
