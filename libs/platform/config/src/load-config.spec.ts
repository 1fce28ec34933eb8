import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'dotenv';
import fc from 'fast-check';
import { durationText } from './duration.js';
import { AppConfig, ConfigError, configWith, type Environment, loadConfig, misspeltVariables, type Settings } from './index.js';
import { VARIABLES } from './variables.js';

const key = randomBytes(32);
const otherKey = randomBytes(32);
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:hunter2@db/identity',
  SECRETS_KEY: key.toString('base64'),
  SMTP_URL: 'smtps://mail.example.com',
};
const shared = { DATABASE_URL: 'postgresql://db/identity', REDIS_URL: 'redis://one:6379' };
const minute = 60_000;
const day = 24 * 60 * minute;

function problemsOf(environment: Environment): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  // The documentation and .env.example have the same defaults of single variables.
  it('returns the defaults for an empty environment', () => {
    expect(loadConfig({})).toMatchObject({
      production: false,
      baseUrl: 'http://localhost:3000',
      dataDir: resolve('.data'),
      databaseUrl: undefined,
      databaseDistributed: undefined,
      databaseReplicaUrls: [],
      redisUrls: [],
      platformApiKey: undefined,
      secretsKeys: [],
      smtpUrl: undefined,
      mailFrom: 'Identity service <no-reply@localhost>',
      webhookRetryScheduleMs: [minute, 5 * minute, 30 * minute, 120 * minute, day],
      webhookAllowedNetworks: ['127.0.0.0/8', '::1/128'],
      trustProxy: [],
      pwnedPasswordsUrl: undefined,
    });
  });

  it.each<[Environment, Partial<Settings>]>([
    [{ PORT: ' 8080 ' }, { port: 8080, baseUrl: 'http://localhost:8080' }],
    [{ PORT: '' }, { port: 3000 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ MONITORING_PORT: '9464' }, { monitoringPort: 9464 }],
    [
      { BASE_URL: 'https://id.example.com/' },
      { baseUrl: 'https://id.example.com', mailFrom: 'Identity service <no-reply@id.example.com>' },
    ],
    [{ BASE_URL: 'http://10.0.0.1:3000' }, { mailFrom: 'Identity service <no-reply@localhost>' }],
    [{ MAIL_FROM: 'security@example.com' }, { mailFrom: 'security@example.com' }],
    [
      { ...shared, ROLE: 'worker' },
      { role: 'worker', redisUrls: ['redis://one:6379'] },
    ],
    [{ ...shared, WORKERS: '4' }, { workers: 4 }],
    [{ WORKERS: '2' }, { workers: 2, databaseUrl: undefined, redisUrls: [] }],
    [{ REDIS_URL: 'redis://one:6379, rediss://two:6379' }, { redisUrls: ['redis://one:6379', 'rediss://two:6379'] }],
    [
      { ...shared, DATABASE_REPLICA_URLS: 'postgres://r1/identity,postgres://r2/identity' },
      { databaseReplicaUrls: ['postgres://r1/identity', 'postgres://r2/identity'] },
    ],
    [{ ...shared, DATABASE_DISTRIBUTED: 'citus' }, { databaseDistributed: 'citus' }],
    [{ SECRETS_KEY: `${key.toString('base64')},${otherKey.toString('base64url')}` }, { secretsKeys: [key, otherKey] }],
    [{ SERVICE_NAME: 'acme-id' }, { serviceName: 'acme-id' }],
    [{ WEBHOOK_RETRY_SCHEDULE: '10ms, 2s' }, { webhookRetryScheduleMs: [10, 2_000] }],
    [{ WEBHOOK_ALLOWED_NETWORKS: 'none' }, { webhookAllowedNetworks: [] }],
    [{ WEBHOOK_ALLOWED_NETWORKS: '10.1.2.3,fd00::/8' }, { webhookAllowedNetworks: ['10.1.2.3/32', 'fd00::/8'] }],
    [production, { production: true, webhookAllowedNetworks: [] }],
    [{ ...production, WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8' }, { webhookAllowedNetworks: ['10.0.0.0/8'] }],
    [{ NODE_ENV: 'test' }, { production: false }],
    [{ TRUST_PROXY: 'loopback,10.0.0.0/8,2001:db8::1' }, { trustProxy: ['loopback', '10.0.0.0/8', '2001:db8::1/128'] }],
    [{ ORGANIZATION_APPROVAL: 'true' }, { organizationApproval: true }],
    [{ SUSPENDED_ORGANIZATION_READS: 'true' }, { suspendedOrganizationReads: true }],
    [{ PWNED_PASSWORDS_URL: 'https://pwned.example.com/range' }, { pwnedPasswordsUrl: 'https://pwned.example.com/range' }],
    [
      { RATE_LIMIT: '0', RATE_LIMIT_PLATFORM: '600' },
      { rateLimit: 0, rateLimitPlatform: 600 },
    ],
    [{ PLATFORM_API_KEY: 'f3b0c44298fc1c149afbf4c8996fb924' }, { platformApiKey: 'f3b0c44298fc1c149afbf4c8996fb924' }],
  ])('parses %j', (environment, expected) => {
    expect(loadConfig(environment)).toMatchObject(expected);
  });

  it.each<[keyof typeof VARIABLES, string, RegExp]>([
    ['PORT', '70000', /^PORT is "70000", but must be a whole number from 0 to 65535\.$/],
    ['PORT', '3e3', /whole number/],
    ['PORT', '-1', /whole number/],
    ['MONITORING_PORT', '3000', /^MONITORING_PORT is "3000", but must be another port than PORT\.$/],
    ['HOST', 'not a host', /host name/],
    ['BASE_URL', 'id.example.com', /https:\/\//],
    ['BASE_URL', 'https://example.com/?a=1', /without user name, password, query/],
    [
      'BASE_URL',
      'https://example.com/identity/',
      /^BASE_URL is "https:\/\/example.com\/identity\/", but must be a URL without a path, such as https:\/\/example.com \(give the service a host name of its own, .*\)\.$/,
    ],
    ['NODE_ENV', 'Production', /spelled "production"/],
    ['ROLE', 'both', /one of all, api, worker/],
    ['WORKERS', '0', /from 1 to 128/],
    ['DATABASE_URL', 'mysql://db/identity', /postgres:\/\//],
    ['DATABASE_DISTRIBUTED', 'true', /must be "citus", or not set/],
    ['DATABASE_POOL_SIZE', '3', /from 4 to 1000/],
    ['REDIS_URL', 'redis://one,http://two', /entry 2/],
    ['SERVICE_NAME', 'Acme_ID', /lowercase letters/],
    ['SERVICE_NAME', 'webhook', /another name \(the header webhook-signature is already in use\)/],
    ['SECRETS_KEY', key.subarray(1).toString('base64'), /32-byte key in base64 .*entry 1 is not: it has 31 bytes/],
    ['SECRETS_KEY', 'not base64!', /it is not base64/],
    ['SECRETS_KEY', `${key.toString('base64')},${key.toString('base64url')}`, /twice/],
    ['PLATFORM_API_KEY', 'short', /at least 32 .*it has 5 characters/],
    ['PLATFORM_API_KEY', 'x'.repeat(40), /not random/],
    ['PLATFORM_API_KEY', 'ü3b0c44298fc1c149afbf4c8996fb924', /are not allowed in a header/],
    ['SMTP_URL', 'mail.example.com:25', /smtp:\/\//],
    ['MAIL_FROM', 'Nobody', /mail sender/],
    ['MAIL_FROM', 'A <a@example.com>\r\nBcc: b@example.com', /mail sender/],
    ['SMS_GATEWAY_URL', 'ftp://sms', /https:\/\/ or http:\/\//],
    ['WEBHOOK_RETRY_SCHEDULE', '1m,5', /entry 2/],
    ['WEBHOOK_RETRY_SCHEDULE', '1m,,2m', /entry 2/],
    ['WEBHOOK_RETRY_SCHEDULE', Array(21).fill('1s').join(), /at most 20/],
    ['WEBHOOK_TIMEOUT', '15', /with a unit/],
    ['WEBHOOK_TIMEOUT', '1h', /from 10ms to 5m \(it is 1h\)/],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33', /CIDR/],
    ['WEBHOOK_ALLOWED_NETWORKS', '10/8', /CIDR/],
    ['WEBHOOK_ALLOWED_NETWORKS', 'none,10.0.0.0/8', /entry 1/],
    ['TRUST_PROXY', '1', /no hop count/],
    ['TRUST_PROXY', 'true', /no hop count, no true/],
    ['RATE_LIMIT', 'unlimited', /whole number/],
    ['RETENTION_EVENTS', '1d', /longer than the whole WEBHOOK_RETRY_SCHEDULE/],
    ['RETENTION_DELIVERIES', 'forever', /with a unit/],
    ['HTTP_KEEP_ALIVE_TIMEOUT', '0s', /from 1s to 1h/],
    ['SHUTDOWN_TIMEOUT', '1d', /from 100ms to 10m/],
    ['MAX_HIERARCHY_DEPTH', '101', /from 1 to 100/],
    ['ORGANIZATION_APPROVAL', 'yes', /one of true, false/],
    ['LOG_LEVEL', 'loud', /one of fatal/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', /http:\/\//],
  ])('rejects %s=%s', (name, value, expected) => {
    const problems = problemsOf({ [name]: value });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
    expect(problems[0]).toMatch(new RegExp(`^${name} is [^\\n\\r]*\\.$`));
  });

  it('never prints an invalid secret', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://app:hunter2@db',
      REDIS_URL: 'http://:hunter2@redis',
      PLATFORM_API_KEY: 'hunter2',
      SECRETS_KEY: 'hunter2',
      SMTP_URL: 'http://a:hunter2@mail',
      BASE_URL: 'https://a:hunter2@id.example.com',
    });

    expect(problems).toHaveLength(6);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('reads the value of a variable from the file that <name>_FILE names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'variables-'));
    try {
      const [path, empty] = [join(folder, 'key'), join(folder, 'empty')];
      writeFileSync(path, `${production.SECRETS_KEY}\n`);
      writeFileSync(empty, '\n');
      const files = { SECRETS_KEY_FILE: path, SECRETS_KEY: '' };

      expect(loadConfig({ ...production, ...files }).secretsKeys).toEqual([key]);
      expect(problemsOf({ ...production, SECRETS_KEY_FILE: path })).toEqual([
        'SECRETS_KEY and SECRETS_KEY_FILE are both set. Remove one of them.',
      ]);
      expect(problemsOf({ ...production, ...files, SECRETS_KEY_FILE: empty })).toEqual([
        `SECRETS_KEY_FILE is "${empty}", but this file is empty.`,
      ]);
      expect(problemsOf({ ...production, ...files, SECRETS_KEY_FILE: folder })).toEqual([
        `SECRETS_KEY_FILE is "${folder}", but must be the path of a file that this user can read (EISDIR).`,
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reports variables that are probably misspelt', () => {
    const environment = {
      SECRET_KEY: 'x',
      LOGLEVEL: 'x',
      DATABASE_URL_FIEL: 'x',
      PATH: 'x',
      HOME: 'x',
      OTEL_SERVICE_NAME: 'x',
      ROLE: 'x',
    };
    expect(misspeltVariables(environment)).toEqual([
      'The environment variable SECRET_KEY has no effect. Did you mean "SECRETS_KEY"?',
      'The environment variable LOGLEVEL has no effect. Did you mean "LOG_LEVEL"?',
      'The environment variable DATABASE_URL_FIEL has no effect. Did you mean "DATABASE_URL_FILE"?',
    ]);
  });

  it.each<[Environment, string[]]>([
    [{ NODE_ENV: 'production' }, ['DATABASE_URL', 'SECRETS_KEY', 'SMTP_URL']],
    [{ NODE_ENV: 'production', ROLE: 'api' }, ['DATABASE_URL', 'REDIS_URL', 'SECRETS_KEY', 'SMTP_URL']],
    [{ ROLE: 'api' }, ['DATABASE_URL', 'REDIS_URL']],
    [{ ROLE: 'worker', DATABASE_URL: 'postgres://db/identity' }, ['REDIS_URL']],
    [{ NODE_ENV: 'production', WORKERS: '2' }, ['DATABASE_URL', 'REDIS_URL', 'SECRETS_KEY', 'SMTP_URL']],
    [{ DATABASE_REPLICA_URLS: 'postgres://replica/identity' }, ['DATABASE_URL']],
    [{ DATABASE_DISTRIBUTED: 'citus' }, ['DATABASE_URL']],
  ])('rejects %j and names the missing variables %j', (environment, lacking) => {
    const problems = problemsOf(environment);

    expect(problems.map((line) => line.split(' ')[0])).toEqual(lacking);
    expect(problems.every((line) => line.includes('is not set, but '))).toBe(true);
  });
});

describe('AppConfig', () => {
  it('is immutable', () => {
    const config = loadConfig({});
    const changed = configWith(config, { port: 0 });

    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
    expect(() => (config.trustProxy as string[]).push('10.0.0.1')).toThrow(TypeError);
    expect(() => Object.assign(changed, { port: 1 })).toThrow(TypeError);
    expect([config.port, changed.port]).toEqual([3000, 0]);
    expect(changed).toBeInstanceOf(AppConfig);
    expect(isAbsolute(changed.dataDir)).toBe(true);
  });

  it('prints no credentials', () => {
    const printed = [JSON.stringify(loadConfig(production)), inspect(loadConfig(production))];

    for (const text of printed) {
      expect(text).toContain('[redacted]');
      expect(text).not.toContain('hunter2');
      expect(text).not.toContain(production.SECRETS_KEY);
    }
  });
});

describe('.env.example', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../../.env.example'), 'utf8');
  const examples = parse(text.replaceAll(/^# (?=[A-Z][A-Z_]*=)/gm, ''));

  it('lists exactly the variables of the configuration', () => {
    expect(Object.keys(examples).sort()).toEqual(Object.keys(VARIABLES).sort());
  });

  it('contains the defaults', () => {
    const expected = Object.entries(VARIABLES).filter(([, variable]) => variable.default !== '');

    expect(examples).toMatchObject(Object.fromEntries(expected.map(([name, variable]) => [name, variable.default])));
    expect({ ...loadConfig(examples) }).toEqual({ ...loadConfig({}) });
  });

  it('sets no variable', () => {
    expect(parse(text)).toEqual({});
  });
});

describe('WEBHOOK_RETRY_SCHEDULE', () => {
  const read = (text: string): readonly number[] => loadConfig({ WEBHOOK_RETRY_SCHEDULE: text }).webhookRetryScheduleMs;

  it('accepts delays whose sum is shorter than the delivery retention', () => {
    const delays = fc.array(fc.integer({ min: 1, max: day }), { minLength: 1, maxLength: 20 });
    fc.assert(fc.property(delays, (delaysMs) => expect(read(delaysMs.map(durationText).join(','))).toEqual(delaysMs)));
  });

  it('rejects an invalid delay', () => {
    const invalid = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 30 })
      .filter((text) => text.trim() !== '' && !text.split(',').every((part) => /^\d{1,12}(ms|s|m|h|d)$/.test(part.trim())));
    fc.assert(
      fc.property(invalid, (text) => {
        for (const value of [text, `1m,${text}`]) {
          expect(() => read(value)).toThrow(ConfigError);
          expect(() => read(value)).toThrow(/WEBHOOK_RETRY_SCHEDULE/);
        }
      }),
    );
  });
});
