import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const SKIPS_IDEMPOTENCY = 'http:skips-idempotency';

/** Marks a POST operation that ignores the header `Idempotency-Key`. `why` is the reason. OpenAPI shows that the header is ignored. */
export const SkipIdempotency = (why: string): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(SKIPS_IDEMPOTENCY, why), ApiExtension('x-idempotency-key', 'ignored'));
