import { SetMetadata } from '@nestjs/common';

export const SKIPS_IDEMPOTENCY = 'http:skips-idempotency';

/** Marks a POST whose answers are not kept for `Idempotency-Key`, and says why: the header is ignored there. */
export const SkipIdempotency = (why: string): MethodDecorator & ClassDecorator => SetMetadata(SKIPS_IDEMPOTENCY, why);
