interface PostgresFailure {
  code?: string;
  constraint?: string;
  message?: string;
}

const UNIQUE_VIOLATION = '23505';
/** The code that Citus reports for some errors of other nodes. */
const INTERNAL_ERROR = 'XX000';

const failureOf = (error: unknown): PostgresFailure =>
  (error as { driverError?: PostgresFailure } | undefined)?.driverError ?? (error as PostgresFailure) ?? {};

/**
 * Returns whether an error is a violation of a unique constraint. Compares prefixes, because Citus (distributed PostgreSQL) appends the number
 * of a shard to the name of the constraint. For an error of another node, Citus reports the name only in the message, in quotation marks.
 */
export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const { code = '', constraint: name, message } = failureOf(error);
  if (name !== undefined) return code === UNIQUE_VIOLATION && name.startsWith(constraint);
  return [UNIQUE_VIOLATION, INTERNAL_ERROR].includes(code) && Boolean(message?.includes(`"${constraint}`));
};
