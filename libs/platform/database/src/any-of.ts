/**
 * Returns the condition that a column is one of the texts in a parameter. PostgreSQL would plan a prepared statement with `= ANY ($1)` anew
 * for each array that is shorter than the ten values which it assumes in a plan for all arrays. It can't see the values of a subquery.
 */
export const anyOf = (parameter: string): string => `= ANY ((SELECT ${parameter}::text[])::text[])`;
