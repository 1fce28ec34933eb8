import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const SKIPS_IDEMPOTENCY = 'http:skips-idempotency';

/** Marks a POST whose answers are not kept for `Idempotency-Key`, and says why: the header is ignored there. OpenAPI shows it. */
export const SkipIdempotency = (why: string): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(SKIPS_IDEMPOTENCY, why), ApiExtension('x-idempotency-key', 'ignored'));
