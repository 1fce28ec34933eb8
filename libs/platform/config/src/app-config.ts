import { inspect } from 'node:util';

export type Role = 'all' | 'api' | 'worker';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export type Settings = Omit<AppConfig, 'toJSON' | typeof inspect.custom>;

const SECRET_FIELDS: readonly string[] = [
  'databaseUrl',
  'databaseReplicaUrls',
  'redisUrls',
  'platformApiKey',
  'secretsKeys',
  'smtpUrl',
  'smsGatewayUrl',
  'otlpEndpoint',
] satisfies (keyof Settings)[];

/** The configuration from the environment variables, validated by `loadConfig` at startup. Frozen, and injected by class. */
export class AppConfig {
  /** Whether the process serves the API, does background work, or both. */
  readonly role!: Role;
  /** Whether NODE_ENV is `production`. Production disables all features for development. */
  readonly production!: boolean;
  /** The port to listen on. 0: the system chooses a free port. */
  readonly port!: number;
  readonly host!: string;
  /** The port of health checks and metrics, which `port` then does not serve. Undefined: `port` serves them. */
  readonly monitoringPort?: number | undefined;
  /** The public URL for links, without a trailing slash. */
  readonly baseUrl!: string;
  /** Absolute path of the directory with the embedded PostgreSQL and generated keys. */
  readonly dataDir!: string;
  /** The connection string of PostgreSQL. Undefined: the embedded PostgreSQL. */
  readonly databaseUrl?: string | undefined;
  /** How the tables are distributed over several PostgreSQL servers. Undefined: one server has all tables. */
  readonly databaseDistributed?: 'citus' | undefined;
  readonly databaseReplicaUrls!: readonly string[];
  /** Maximum number of database connections of each process. */
  readonly databasePoolSize!: number;
  /** The URLs of Redis. None: the in-process queue. One: a single server. Several: a cluster. */
  readonly redisUrls!: readonly string[];
  readonly platformApiKey?: string | undefined;
  /** Prefix of the signature header and of API keys. */
  readonly serviceName!: string;
  /** Encryption keys of 32 bytes. The first key encrypts, every key decrypts. If empty, the server uses a generated key in `dataDir`. */
  readonly secretsKeys!: readonly Buffer[];
  /** The SMTP server. Undefined: only the development mailbox contains the emails. */
  readonly smtpUrl?: string | undefined;
  readonly mailFrom!: string;
  readonly smsGatewayUrl?: string | undefined;
  /** Delays before retries of a delivery. The first delay is between the first and the second attempt. */
  readonly webhookRetryScheduleMs!: readonly number[];
  /** Timeout of a delivery attempt, including connection, headers and body. */
  readonly webhookTimeoutMs!: number;
  /** Private networks (CIDR) that deliveries can connect to. */
  readonly webhookAllowedNetworks!: readonly string[];
  /** DNS servers that look up the records of domains. Empty: the servers of the system. */
  readonly dnsServers!: readonly string[];
  /** Maximum requests per minute for each organization key and each session. 0: unlimited. */
  readonly rateLimit!: number;
  /** Maximum requests per minute for each platform key. 0: unlimited. */
  readonly rateLimitPlatform!: number;
  readonly retentionEventsMs!: number;
  readonly retentionDeliveriesMs!: number;
  readonly retentionHistoryMs!: number;
  /** Addresses, networks and names for Express's `trust proxy`. Empty: no proxy is trusted. */
  readonly trustProxy!: readonly string[];
  /** Time after which an idle HTTP connection is closed. */
  readonly httpKeepAliveTimeoutMs!: number;
  /** Number of processes that this process starts. */
  readonly workers!: number;
  readonly shutdownTimeoutMs!: number;
  readonly maxHierarchyDepth!: number;
  /** Whether new organizations need approval. Organizations created with a platform key never need approval. */
  readonly organizationApproval!: boolean;
  /** Whether users and API keys of a suspended organization can read. */
  readonly suspendedOrganizationReads!: boolean;
  /** URL of the Pwned Passwords range API, which checks new passwords. Undefined: passwords are not checked. */
  readonly pwnedPasswordsUrl!: string | undefined;
  readonly logLevel!: LogLevel;
  /** Whether `/docs` and `/openapi.json` are served. */
  readonly docs!: boolean;
  /** Whether `/metrics` is served. */
  readonly metrics!: boolean;
  /** URL of the OpenTelemetry collector. Undefined: no traces. */
  readonly otlpEndpoint?: string | undefined;

  constructor(settings: Settings) {
    Object.assign(this, settings);
    for (const value of Object.values(this)) if (Array.isArray(value)) Object.freeze(value);
    Object.freeze(this);
  }

  /** Returns the settings without credentials, for logs and error reports. */
  toJSON(): Record<string, unknown> {
    const entries = Object.entries(this).map(([field, value]) => [field, isPresentSecret(field, value) ? '[redacted]' : value]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  /** Prevents credentials in `console.log` and in error dumps. */
  [inspect.custom](): Record<string, unknown> {
    return this.toJSON();
  }
}

/** Returns a changed copy of a configuration, for tests and for settings that are known only after startup. */
export function configWith(config: AppConfig, changes: Partial<Settings>): AppConfig {
  return new AppConfig({ ...config, ...changes });
}

function isPresentSecret(field: string, value: unknown): boolean {
  return SECRET_FIELDS.includes(field) && value !== undefined && !(Array.isArray(value) && value.length === 0);
}
