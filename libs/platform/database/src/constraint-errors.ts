interface PostgresFailure {
  code?: string;
  constraint?: string;
}

const UNIQUE_VIOLATION = '23505';

const failureOf = (error: unknown): PostgresFailure =>
  (error as { driverError?: PostgresFailure } | undefined)?.driverError ?? (error as PostgresFailure) ?? {};

/** Compares prefixes, because Citus (distributed PostgreSQL) appends the number of a shard to the name of a constraint. */
const hasConstraint = (failure: PostgresFailure, constraint: string) => failure.constraint?.startsWith(constraint) ?? false;

export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const failure = failureOf(error);
  return failure.code === UNIQUE_VIOLATION && hasConstraint(failure, constraint);
};
