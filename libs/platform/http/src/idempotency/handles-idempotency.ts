import { SetMetadata } from '@nestjs/common';

export const HANDLES_IDEMPOTENCY = 'http:handles-idempotency';

/** Marks a POST operation that implements `Idempotency-Key` itself, because it does not run in one transaction. */
export const HandlesIdempotency = (): MethodDecorator & ClassDecorator => SetMetadata(HANDLES_IDEMPOTENCY, true);
