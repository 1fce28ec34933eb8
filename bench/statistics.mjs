/** Returns the smallest value that `percent` of all values do not exceed (nearest rank), or undefined without values. */
export function percentile(values, percent) {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

export const median = (values) => percentile(values, 50);
