interface PostgresFailure {
  code?: string;
  constraint?: string;
  message?: string;
}

const UNIQUE_VIOLATION = '23505';

const failureOf = (error: unknown): PostgresFailure =>
  (error as { driverError?: PostgresFailure } | undefined)?.driverError ?? (error as PostgresFailure) ?? {};

/**
 * Compares prefixes, because Citus (distributed PostgreSQL) appends the number of a shard to the name of a constraint. For an error of
 * another node, Citus reports the name only in the message, in quotation marks.
 */
const hasConstraint = (failure: PostgresFailure, constraint: string): boolean =>
  failure.constraint?.startsWith(constraint) ?? failure.message?.includes(`"${constraint}`) ?? false;

export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const failure = failureOf(error);
  return failure.code === UNIQUE_VIOLATION && hasConstraint(failure, constraint);
};
