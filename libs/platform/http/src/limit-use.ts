import { SetMetadata } from '@nestjs/common';

export const LIMITED_USE = 'limited-use';

/** How often an operation may be used on one thing. */
export interface LimitedUse {
  /** Names the counter. */
  readonly kind: string;
  /** The path parameter that names the thing, within the organization that is addressed. */
  readonly param: string;
  readonly uses: number;
  readonly windowSeconds: number;
}

/** Lets an operation be used only so often on the same thing, whoever asks: for what reaches people or servers outside. */
export const LimitUse = (limit: LimitedUse): MethodDecorator => SetMetadata(LIMITED_USE, limit);
