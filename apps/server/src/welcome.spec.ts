import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '#platform/config';
import { welcome } from './welcome.js';

const URL = 'http://localhost:3000';
const given = (environment: Record<string, string> = {}) => loadConfig(environment);

describe('the welcome message', () => {
  it('has a new key and a command that uses it', () => {
    const text = welcome(given(), URL, { newKey: 'service_sk_new' });

    expect(text).toContain('\n  service_sk_new\n');
    expect(text).toContain(`curl -H "Authorization: Bearer service_sk_new" ${URL}/v1/organizations`);
    expect(text).toContain(`${URL}/docs`);
  });

  it('says what to do if the key is lost', () => {
    expect(welcome(given(), URL, {})).toContain('set PLATFORM_API_KEY');
  });

  it('never contains PLATFORM_API_KEY', () => {
    const PLATFORM_API_KEY = randomBytes(32).toString('hex');

    expect(welcome(given({ PLATFORM_API_KEY }), URL, {})).not.toContain(PLATFORM_API_KEY);
  });

  it('has the operator link if there is one, or else the URL of the dashboard', () => {
    const link = { token: 'once', expiresAt: new Date() };
    expect(welcome(given(), URL, { link })).toContain(
      `\nDashboard link (works once, expires an hour after the first start): ${URL}/dashboard/getting-started#token=once\n`,
    );
    expect(welcome(given(), URL, {})).toMatch(/^Dashboard: +http:\/\/localhost:3000\/dashboard$/m);
  });

  it('has the mailbox only if emails are not sent', () => {
    expect(welcome(given(), URL, {})).toContain(`${URL}/dev/mailbox`);
    expect(welcome(given({ SMTP_URL: 'smtp://localhost:2525' }), URL, {})).not.toContain('mailbox');
  });

  it('of a worker has only the health check', () => {
    const worker = given({ ROLE: 'worker', DATABASE_URL: 'postgres://a:b@localhost/c', REDIS_URL: 'redis://localhost' });

    expect(welcome(worker, URL, {}).trim()).toBe(`The worker is ready. Health: ${URL}/health/ready`);
  });
});
