import { SetMetadata } from '@nestjs/common';

export const LIMITED_USE = 'limited-use';

/** A limit on the calls of an operation for one resource. */
export interface LimitedUse {
  /** Name of the counter. */
  readonly kind: string;
  /**
   * The path parameter that identifies the resource in the organization of the route. Absent if the route has many resources, which its
   * handler counts with `countUseOf`.
   */
  readonly param?: string;
  readonly uses: number;
  readonly windowSeconds: number;
}

/**
 * Limits the calls of an operation for each resource. All callers share the limit. For operations that send something to people or servers.
 */
export const LimitUse = (limit: LimitedUse): MethodDecorator => SetMetadata(LIMITED_USE, limit);
