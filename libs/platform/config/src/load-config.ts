import { resolve } from 'node:path';
import { parseUrl } from '#platform/common';
import { AppConfig, type Settings } from './app-config.js';
import { BadValue } from './bad-value.js';
import { ConfigError } from './config-error.js';
import { durationText } from './duration.js';
import * as values from './values.js';
import type { Environment } from './read-variable.js';
import { VariableReader } from './variable-reader.js';

const MAX_RETRIES = 20;
const LOOPBACK = '127.0.0.0/8,::1/128';

/** Reads the configuration from environment variables (`VARIABLES`). @throws ConfigError with one line per invalid or missing variable */
export function loadConfig(environment: Environment): AppConfig {
  const reader = new VariableReader(environment);
  const settings: Settings = {
    ...processSettings(reader),
    ...storeSettings(reader),
    ...messageSettings(reader),
    ...webhookSettings(reader),
    ...limitSettings(reader),
  };
  checkRequirements(reader, settings);
  checkRetention(reader, settings);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return new AppConfig(settings);
}

function processSettings(reader: VariableReader) {
  const port = reader.read('PORT', values.wholeNumber(0, 65_535));
  return {
    role: reader.read('ROLE', values.oneOf('all', 'api', 'worker')),
    production: reader.read('NODE_ENV', isProduction),
    port,
    host: reader.read('HOST', values.listenAddress),
    monitoringPort: reader.readIfSet('MONITORING_PORT', monitoringPort(port)),
    baseUrl: reader.readIfSet('BASE_URL', values.publicAddress) ?? `http://localhost:${port}`,
    serviceName: reader.read('SERVICE_NAME', serviceName),
    trustProxy: reader.read('TRUST_PROXY', values.listOf(values.trustedProxy)),
    httpKeepAliveTimeoutMs: reader.read('HTTP_KEEP_ALIVE_TIMEOUT', values.duration('1s', '1h')),
    workers: reader.read('WORKERS', values.wholeNumber(1, 128)),
    shutdownTimeoutMs: reader.read('SHUTDOWN_TIMEOUT', values.duration('100ms', '10m')),
    logLevel: reader.read('LOG_LEVEL', values.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
    docs: reader.read('DOCS', values.yesOrNo),
    metrics: reader.read('METRICS', values.yesOrNo),
    otlpEndpoint: reader.readIfSet('OTEL_EXPORTER_OTLP_ENDPOINT', values.url('http://localhost:4318', 'http', 'https')),
  };
}

function storeSettings(reader: VariableReader) {
  const database = values.url('postgres://user:password@localhost:5432/identity', 'postgres', 'postgresql');
  const redis = values.url('redis://localhost:6379', 'redis', 'rediss');
  return {
    dataDir: resolve(reader.text('DATA_DIR')),
    databaseUrl: reader.readIfSet('DATABASE_URL', database),
    databaseDistributed: reader.readIfSet('DATABASE_DISTRIBUTED', distribution),
    databaseReplicaUrls: reader.read('DATABASE_REPLICA_URLS', values.listOf(database)),
    databasePoolSize: reader.read('DATABASE_POOL_SIZE', values.wholeNumber(4, 1_000)),
    redisUrls: reader.read('REDIS_URL', values.listOf(redis)),
    platformApiKey: reader.readIfSet('PLATFORM_API_KEY', values.platformApiKey),
    secretsKeys: reader.read('SECRETS_KEY', values.parseSecretsKeys),
  };
}

function messageSettings(reader: VariableReader) {
  return {
    smtpUrl: reader.readIfSet('SMTP_URL', values.url('smtp://user:password@mail.example.com:587', 'smtp', 'smtps')),
    mailFrom: reader.readIfSet('MAIL_FROM', values.sender) ?? defaultSender(reader),
    smsGatewayUrl: reader.readIfSet('SMS_GATEWAY_URL', values.url('https://sms.example.com/send', 'https', 'http')),
  };
}

function webhookSettings(reader: VariableReader) {
  const closedByDefault = reader.text('NODE_ENV') === 'production';
  const networks = reader.readIfSet('WEBHOOK_ALLOWED_NETWORKS', allowedNetworks);
  return {
    webhookRetryScheduleMs: reader.read('WEBHOOK_RETRY_SCHEDULE', retrySchedule),
    webhookTimeoutMs: reader.read('WEBHOOK_TIMEOUT', values.duration('10ms', '5m')),
    webhookAllowedNetworks: networks ?? allowedNetworks(closedByDefault ? 'none' : LOOPBACK),
  };
}

function limitSettings(reader: VariableReader) {
  return {
    dnsServers: reader.read('DNS_SERVERS', values.listOf(values.dnsServer)),
    rateLimit: reader.read('RATE_LIMIT', values.wholeNumber(0, 1_000_000_000)),
    rateLimitPlatform: reader.read('RATE_LIMIT_PLATFORM', values.wholeNumber(0, 1_000_000_000)),
    retentionEventsMs: reader.read('RETENTION_EVENTS', values.duration('1h', '36500d')),
    retentionDeliveriesMs: reader.read('RETENTION_DELIVERIES', values.duration('1h', '36500d')),
    retentionHistoryMs: reader.read('RETENTION_HISTORY', values.duration('1h', '36500d')),
    maxHierarchyDepth: reader.read('MAX_HIERARCHY_DEPTH', values.wholeNumber(1, 100)),
    organizationApproval: reader.read('ORGANIZATION_APPROVAL', values.yesOrNo),
    pwnedPasswordsUrl: reader.readIfSet(
      'PWNED_PASSWORDS_URL',
      values.url('https://api.pwnedpasswords.com/range', 'https', 'http'),
    ),
    suspendedOrganizationReads: reader.read('SUSPENDED_ORGANIZATION_READS', values.yesOrNo),
  };
}

/** Checks variables that other variables make mandatory. Reports each missing variable once, with the first reason. */
function checkRequirements(reader: VariableReader, { production, role, workers, databaseDistributed }: Settings): void {
  const inProduction = 'NODE_ENV=production requires';
  const withRole = `ROLE=${role} requires`;

  if (production)
    reader.require('DATABASE_URL', `${inProduction} a PostgreSQL server, such as postgres://user:password@host:5432/identity`);
  else if (role !== 'all') reader.require('DATABASE_URL', `${withRole} a PostgreSQL server that all processes share`);
  else if (reader.isSet('DATABASE_REPLICA_URLS'))
    reader.require('DATABASE_URL', 'DATABASE_REPLICA_URLS requires the primary of these replicas');
  else if (databaseDistributed === 'citus')
    reader.require('DATABASE_URL', 'DATABASE_DISTRIBUTED=citus requires the coordinator of a Citus cluster');

  const sharedRedis = 'a Redis server that all processes share, such as redis://host:6379';
  if (role !== 'all') reader.require('REDIS_URL', `${withRole} ${sharedRedis}`);
  // Without Redis, each process counts requests separately, which multiplies the rate limits.
  else if (production && workers > 1) reader.require('REDIS_URL', `WORKERS=${workers} in production requires ${sharedRedis}`);

  if (production) {
    reader.require(
      'SECRETS_KEY',
      `${inProduction} a 32-byte encryption key in base64 (generate one with: openssl rand -base64 32)`,
    );
    reader.require('SMTP_URL', `${inProduction} a mail server, such as smtp://user:password@host:587`);
  }
}

/** Checks that the retention of events and deliveries includes their last retry. */
function checkRetention(reader: VariableReader, settings: Settings): void {
  const scheduleMs = settings.webhookRetryScheduleMs.reduce((sum, delayMs) => sum + delayMs, 0);
  const retentionsMs = { RETENTION_EVENTS: settings.retentionEventsMs, RETENTION_DELIVERIES: settings.retentionDeliveriesMs };
  for (const [name, retentionMs] of Object.entries(retentionsMs)) {
    if (retentionMs > scheduleMs) continue;
    reader.problems.push(
      `${name} is ${durationText(retentionMs)}, but must be longer than the whole WEBHOOK_RETRY_SCHEDULE (${durationText(scheduleMs)}).`,
    );
  }
}

const monitoringPort =
  (port: number): values.Parse<number> =>
  (text) => {
    const value = values.wholeNumber(1, 65_535)(text);
    if (value === port) throw new BadValue('another port than PORT');
    return value;
  };

/** Rejects a typo such as `prod`, which would silently disable the protections of production. */
function isProduction(text: string): boolean {
  if (/^prod/i.test(text) && text !== 'production') throw new BadValue('spelled "production", in lowercase');
  return text === 'production';
}

function distribution(text: string): 'citus' {
  if (text !== 'citus') throw new BadValue('"citus", or not set');
  return text;
}

function serviceName(text: string): string {
  const expected = 'at most 40 lowercase letters, digits and hyphens, starting with a letter';
  const name = values.matching(/^[a-z][a-z0-9-]{0,39}$/, expected)(text);
  // The header `webhook-signature` belongs to Standard Webhooks. Each delivery contains it in addition to the service's own header.
  if (name === 'webhook') throw new BadValue('another name', 'the header webhook-signature is already in use');
  return name;
}

function allowedNetworks(text: string): string[] {
  return text === 'none' ? [] : values.listOf(values.network)(text);
}

function retrySchedule(text: string): number[] {
  const delaysMs = values.listOf(values.duration('1ms', '14d'))(text);
  if (delaysMs.length > MAX_RETRIES) throw new BadValue(`at most ${MAX_RETRIES} durations`);
  return delaysMs;
}

function defaultSender(reader: VariableReader): string {
  const address = reader.text('BASE_URL');
  const host = parseUrl(address)?.hostname ?? '';
  // An IP address can't be the domain of an email address.
  return `Identity service <no-reply@${/[a-z]$/i.test(host) ? host : 'localhost'}>`;
}
