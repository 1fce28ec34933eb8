interface PostgresFailure {
  code?: string;
  constraint?: string;
}

const UNIQUE_VIOLATION = '23505';

const failureOf = (error: unknown): PostgresFailure =>
  (error as { driverError?: PostgresFailure } | undefined)?.driverError ?? (error as PostgresFailure) ?? {};

/** Compared by prefix, because a distributed PostgreSQL (Citus) appends a shard's number to the name. */
const names = (failure: PostgresFailure, constraint: string) => failure.constraint?.startsWith(constraint) ?? false;

/** Whether the database refused a second row with the same key. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const failure = failureOf(error);
  return failure.code === UNIQUE_VIOLATION && names(failure, constraint);
};
