const NETWORK_ERRORS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
/**
 * Error codes of PostgreSQL: timeouts, shutdown and startup, full disk, out of memory, too many connections, disk errors, no primary, lost
 * connections, unknown result of a commit.
 */
const POSTGRESQL_ERRORS = [
  '57014',
  '25P03',
  '57P01',
  '57P02',
  '57P03',
  '53100',
  '53200',
  '53300',
  '58030',
  '25006',
  '08006',
  '08007',
  '08003',
  '08001',
];
const UNAVAILABLE_CODES = new Set([...NETWORK_ERRORS, ...POSTGRESQL_ERRORS]);

/** Messages of pg, TypeORM and Citus about lost connections. If a connection is lost between two queries, TypeORM releases its query runner. */
const CONNECTION_LOST =
  /Connection terminated|server closed the connection unexpectedly|timeout exceeded when trying to connect|Client has encountered a connection error|failure on connection marked as essential|Query runner already released/i;

interface Failure {
  readonly code?: string;
  readonly syscall?: string;
  readonly message?: string;
}

/** What prevents all statements, or all writes, until PostgreSQL is back or an operator acts. */
export type Outage = 'unreachable' | 'disk_full';

const DISK_FULL = '53100';

/** Error codes of PostgreSQL about one statement or connection. The database can work for others. */
const NOT_AN_OUTAGE = new Set(['57014', '25P03', '53200', '58030']);

/** Returns whether an error means that the database is unavailable. A retry can then succeed. */
export const isUnavailable = (error: unknown): boolean => {
  const failure = failureOf(error);
  // The socket of a stopped server does not exist (ENOENT).
  if (failure.syscall === 'connect') return true;
  return UNAVAILABLE_CODES.has(failure.code ?? '') || CONNECTION_LOST.test((error as Failure).message ?? '');
};

/** Returns the outage that an error shows, or undefined for other errors. */
export function outageOf(error: unknown): Outage | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code = '' } = failureOf(error);
  if (code === DISK_FULL) return 'disk_full';
  return isUnavailable(error) && !NOT_AN_OUTAGE.has(code) ? 'unreachable' : undefined;
}

/** Returns the error of the driver, which TypeORM wraps. */
function failureOf(error: unknown): Failure {
  const failure = error as Failure & { driverError?: Failure };
  return failure.driverError ?? failure;
}
