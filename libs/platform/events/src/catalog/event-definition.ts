/** An entry of the catalog: a description of the event type and a valid example of its data. */
export interface EventDefinition<T extends object> {
  readonly description: string;
  readonly example: T;
  /** Fields that can be absent from an event of the type. */
  readonly optional?: readonly (keyof T & string)[];
}

export const event = <T extends object>(
  description: string,
  of: T,
  optional?: readonly (keyof T & string)[],
): EventDefinition<T> => ({ description, example: of, optional });
