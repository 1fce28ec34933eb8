import { inspect } from 'node:util';

export type Role = 'all' | 'api' | 'worker';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The fields of `AppConfig`, without its methods. */
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

/** Everything that the environment decides: validated once at start by `loadConfig`, frozen, and injected by class. */
export class AppConfig {
  /** What this process does: serve the API, deliver, or both. */
  readonly role!: Role;
  /** NODE_ENV is `production`: nothing that is only convenient in development. */
  readonly production!: boolean;
  /** 0 lets the system choose. */
  readonly port!: number;
  readonly host!: string;
  /** The public address, used in links; no slash at its end. */
  readonly baseUrl!: string;
  /** Absolute path of the folder with the embedded PostgreSQL and generated keys. */
  readonly dataDir!: string;
  /** Undefined: embedded PostgreSQL. */
  readonly databaseUrl?: string | undefined;
  readonly databaseReplicaUrls!: readonly string[];
  /** Connections per process. */
  readonly databasePoolSize!: number;
  /** Empty: the in-process queue. One: a Redis. More: a cluster. */
  readonly redisUrls!: readonly string[];
  readonly platformApiKey?: string | undefined;
  /** Names the signature header and begins every API key. */
  readonly serviceName!: string;
  /** 32 bytes each; the first encrypts, all decrypt. May be empty with the embedded PostgreSQL, which keeps its own. */
  readonly secretsKeys!: readonly Buffer[];
  /** Undefined: mails are kept in the development mailbox. */
  readonly smtpUrl?: string | undefined;
  readonly mailFrom!: string;
  readonly smsGatewayUrl?: string | undefined;
  /** Waits before the second attempt, the third and so on. */
  readonly webhookRetryScheduleMs!: readonly number[];
  /** For connect, headers and body together. */
  readonly webhookTimeoutMs!: number;
  /** Networks in CIDR form that deliveries may reach although they are private. */
  readonly webhookAllowedNetworks!: readonly string[];
  /** Requests a minute and organization key or session; 0 is off. */
  readonly rateLimit!: number;
  /** Requests a minute and platform key; 0 is off. */
  readonly rateLimitPlatform!: number;
  readonly retentionEventsMs!: number;
  readonly retentionDeliveriesMs!: number;
  /** Addresses, networks and names as Express's `trust proxy` takes them; empty believes nobody. */
  readonly trustProxy!: readonly string[];
  /** Processes started by this one. */
  readonly workers!: number;
  readonly shutdownTimeoutMs!: number;
  readonly maxHierarchyDepth!: number;
  /** Organizations made by others than the platform wait for approval. */
  readonly organizationApproval!: boolean;
  /** Users and API keys of a suspended organization may read. */
  readonly suspendedOrganizationReads!: boolean;
  /** The range API that new passwords are checked with; undefined: none. */
  readonly pwnedPasswordsUrl!: string | undefined;
  readonly logLevel!: LogLevel;
  /** Whether `/docs` and `/openapi.json` are served. */
  readonly docs!: boolean;
  /** Whether `/metrics` is served. */
  readonly metrics!: boolean;
  /** Undefined: no traces. */
  readonly otlpEndpoint?: string | undefined;

  constructor(settings: Settings) {
    Object.assign(this, settings);
    for (const value of Object.values(this)) if (Array.isArray(value)) Object.freeze(value);
    Object.freeze(this);
  }

  /** The settings without credentials: what a log or an error report may show. */
  toJSON(): Record<string, unknown> {
    const entries = Object.entries(this).map(([field, value]) => [field, isFilledSecret(field, value) ? '[redacted]' : value]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  /** Keeps credentials out of `console.log` and of error dumps, too. */
  [inspect.custom](): Record<string, unknown> {
    return this.toJSON();
  }
}

/** A changed copy of a configuration, frozen like the first; for tests, and for what is known only after the start. */
export function configWith(config: AppConfig, changes: Partial<Settings>): AppConfig {
  return new AppConfig({ ...config, ...changes });
}

function isFilledSecret(field: string, value: unknown): boolean {
  return SECRET_FIELDS.includes(field) && value !== undefined && !(Array.isArray(value) && value.length === 0);
}
