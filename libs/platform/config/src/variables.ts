interface Variable {
  /** The value if the variable is not set or empty. '' if there is no fixed default. */
  readonly default: string;
  /** Whether the value can contain a credential. Such values are never printed. */
  readonly secret?: true;
}

const variables = {
  NODE_ENV: { default: '' },
  PORT: { default: '3000' },
  HOST: { default: '0.0.0.0' },
  MONITORING_PORT: { default: '' },
  BASE_URL: { default: '' },
  DATA_DIR: { default: '.data' },
  DATABASE_URL: { default: '', secret: true },
  DATABASE_DISTRIBUTED: { default: '' },
  DATABASE_REPLICA_URLS: { default: '', secret: true },
  DATABASE_POOL_SIZE: { default: '20' },
  REDIS_URL: { default: '', secret: true },
  PLATFORM_API_KEY: { default: '', secret: true },
  SERVICE_NAME: { default: 'service' },
  SECRETS_KEY: { default: '', secret: true },
  SMTP_URL: { default: '', secret: true },
  MAIL_FROM: { default: '' },
  SMS_GATEWAY_URL: { default: '', secret: true },
  WEBHOOK_RETRY_SCHEDULE: { default: '1m,5m,30m,2h,24h' },
  WEBHOOK_TIMEOUT: { default: '15s' },
  WEBHOOK_ALLOWED_NETWORKS: { default: '' },
  DNS_SERVERS: { default: '' },
  RATE_LIMIT: { default: '60000' },
  RATE_LIMIT_PLATFORM: { default: '0' },
  RETENTION_EVENTS: { default: '90d' },
  RETENTION_DELIVERIES: { default: '30d' },
  RETENTION_HISTORY: { default: '730d' },
  TRUST_PROXY: { default: '' },
  HTTP_KEEP_ALIVE_TIMEOUT: { default: '75s' },
  ROLE: { default: 'all' },
  WORKERS: { default: '1' },
  SHUTDOWN_TIMEOUT: { default: '20s' },
  MAX_HIERARCHY_DEPTH: { default: '32' },
  ORGANIZATION_APPROVAL: { default: 'false' },
  SUSPENDED_ORGANIZATION_READS: { default: 'false' },
  PWNED_PASSWORDS_URL: { default: '' },
  LOG_LEVEL: { default: 'info' },
  DOCS: { default: 'true' },
  METRICS: { default: 'true' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { default: '', secret: true },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;

/** Every environment variable that the service reads, with its default. `.env.example` lists the same variables. */
export const VARIABLES: Readonly<Record<VariableName, Variable>> = variables;

export const VARIABLE_NAMES = Object.keys(variables) as VariableName[];
