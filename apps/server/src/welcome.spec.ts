import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '#platform/config';
import { welcome } from './welcome.js';

const URL = 'http://localhost:3000';
const configWith = (environment: Record<string, string> = {}) => loadConfig(environment);

describe('welcome message', () => {
  it('contains a new key and a command with the key', () => {
    const text = welcome(configWith(), URL, { newKey: 'service_sk_new' });

    expect(text).toContain('\n  service_sk_new\n');
    expect(text).toContain(`curl -H "Authorization: Bearer service_sk_new" ${URL}/v1/organizations`);
    expect(text).toContain(`${URL}/docs`);
  });

  it('explains how to replace a lost key', () => {
    expect(welcome(configWith(), URL, {})).toContain('set PLATFORM_API_KEY');
  });

  it('never contains the value of PLATFORM_API_KEY', () => {
    const PLATFORM_API_KEY = randomBytes(32).toString('hex');

    expect(welcome(configWith({ PLATFORM_API_KEY }), URL, {})).not.toContain(PLATFORM_API_KEY);
  });

  it('contains the operator link or, without a link, the dashboard URL', () => {
    const link = { token: 'once', expiresAt: new Date() };
    expect(welcome(configWith(), URL, { link })).toContain(
      `\nDashboard link (works once, expires an hour after the first start): ${URL}/dashboard/getting-started#token=once\n`,
    );
    expect(welcome(configWith(), URL, {})).toMatch(/^Dashboard: +http:\/\/localhost:3000\/dashboard$/m);
  });

  it('contains the mailbox URL only if no SMTP server is configured', () => {
    expect(welcome(configWith(), URL, {})).toContain(`${URL}/dev/mailbox`);
    expect(welcome(configWith({ SMTP_URL: 'smtp://localhost:2525' }), URL, {})).not.toContain('mailbox');
  });

  it('contains only the health check if the process is a worker', () => {
    const worker = configWith({ ROLE: 'worker', DATABASE_URL: 'postgres://a:b@localhost/c', REDIS_URL: 'redis://localhost' });

    expect(welcome(worker, URL, {}).trim()).toBe(`The worker is ready. Health: ${URL}/health/ready`);
  });
});
