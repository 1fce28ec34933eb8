const OF_THE_NETWORK = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
/** A statement or transaction ended for taking too long, stopping, starting, full (disk, memory, connections), failing disk, no primary (any more), cut off. */
const OF_POSTGRESQL = [
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
  '08003',
  '08001',
];
const UNAVAILABLE_CODES = new Set([...OF_THE_NETWORK, ...OF_POSTGRESQL]);

/** As pg and TypeORM say it; TypeORM gives up its hold on a connection ("query runner") that is lost between two queries. */
const CONNECTION_LOST =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query runner already released/i;

/** Whether a failure says that the database can't do its work now, and another try later may succeed. */
export const isUnavailable = (error: unknown): boolean => {
  const failure = error as { code?: string; driverError?: { code?: string; message?: string }; message?: string };
  if (UNAVAILABLE_CODES.has(failure.driverError?.code ?? failure.code ?? '')) return true;
  return CONNECTION_LOST.test(failure.message ?? '');
};
