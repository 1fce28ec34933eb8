/** Returns the quantile of the values: `share` of the values (0 to 1) are at most this large. Returns NaN without values. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;
