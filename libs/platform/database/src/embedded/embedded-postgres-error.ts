/** The embedded PostgreSQL can't be used. The message is one line with advice. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';

  constructor(message: string, options?: ErrorOptions) {
    super(
      message
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .join(' '),
      options,
    );
  }
}

/** Another running process of this service uses the data directory. */
export class DataDirectoryInUse extends EmbeddedPostgresError {
  override readonly name = 'DataDirectoryInUse';

  constructor(
    readonly dataDir: string,
    readonly pid: number,
    host: string | undefined,
  ) {
    super(
      `The data directory ${dataDir} is in use by process ${pid}${host === undefined ? '' : ` on ${host}`}. ` +
        'Stop that process, choose another DATA_DIR, or set DATABASE_URL.',
    );
  }
}
