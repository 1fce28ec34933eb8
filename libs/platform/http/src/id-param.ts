import { ApiParam } from '@nestjs/swagger';

export interface IdParamOptions {
  readonly name: string;
  readonly description: string;
  readonly example: string;
  /** Maximum length. Role names, which are valid in some paths, can be longer than IDs. */
  readonly maxLength?: number;
}

/** Documents a path parameter with the ID of a resource. No ID is longer than 64 characters, so a longer value returns 404. */
export const ApiIdParam = ({ name, description, example, maxLength = 64 }: IdParamOptions): MethodDecorator & ClassDecorator =>
  ApiParam({ name, description, schema: { type: 'string', maxLength, example } });
