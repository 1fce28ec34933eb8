import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const SKIPS_IDEMPOTENCY = 'http:skips-idempotency';

/** Makes a POST operation ignore the header `Idempotency-Key`, and states the reason. OpenAPI shows that it is ignored. */
export const SkipIdempotency = (why: string): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(SKIPS_IDEMPOTENCY, why), ApiExtension('x-idempotency-key', 'ignored'));
