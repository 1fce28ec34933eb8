/** Reads a `bigint` column as a number. Counters stay below 2^53. */
export const wholeNumber = {
  to: (value: unknown) => value,
  from: (digits: string) => Number(digits),
};
