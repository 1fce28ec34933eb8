/** Reads a `bigint` column as a number, for counters, which stay below 2^53. */
export const wholeNumber = {
  to: (value: unknown) => value,
  from: (digits: string) => Number(digits),
};
