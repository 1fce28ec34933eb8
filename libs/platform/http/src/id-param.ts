import { ApiParam } from '@nestjs/swagger';

export interface IdParamOptions {
  readonly name: string;
  readonly description: string;
  readonly example: string;
  /** Names of roles, which a path also accepts, can be longer than IDs. */
  readonly maxLength?: number;
}

/** Documents a path parameter with the id of a resource. No id is longer than 64 characters, so a longer value returns 404. */
export const ApiIdParam = ({ name, description, example, maxLength = 64 }: IdParamOptions): MethodDecorator & ClassDecorator =>
  ApiParam({ name, description, schema: { type: 'string', maxLength, example } });
