import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '#platform/config';
import { welcome } from './welcome.js';

const URL = 'http://localhost:3000';
const given = (environment: Record<string, string> = {}) => loadConfig(environment);

describe('the welcome', () => {
  it('shows a new key, with a command that uses it', () => {
    const text = welcome(given(), URL, { newKey: 'service_sk_new' });

    expect(text).toContain('\n  service_sk_new\n');
    expect(text).toContain(`curl -H "Authorization: Bearer service_sk_new" ${URL}/v1/organizations`);
    expect(text).toContain(`${URL}/docs`);
  });

  it('says what to do about a lost key', () => {
    expect(welcome(given(), URL, {})).toContain('set PLATFORM_API_KEY');
  });

  it("never prints the operator's own key", () => {
    const PLATFORM_API_KEY = randomBytes(32).toString('hex');

    expect(welcome(given({ PLATFORM_API_KEY }), URL, {})).not.toContain(PLATFORM_API_KEY);
  });

  it('leads to the dashboard, with a link while there is one', () => {
    const link = { token: 'once', expiresAt: new Date() };
    expect(welcome(given(), URL, { link })).toContain(
      `\nDashboard link (works once, expires an hour after the first start): ${URL}/dashboard/getting-started#token=once\n`,
    );
    expect(welcome(given(), URL, {})).toMatch(/^Dashboard: +http:\/\/localhost:3000\/dashboard$/m);
  });

  it('leads to the mailbox only while mails are kept', () => {
    expect(welcome(given(), URL, {})).toContain(`${URL}/dev/mailbox`);
    expect(welcome(given({ SMTP_URL: 'smtp://localhost:2525' }), URL, {})).not.toContain('mailbox');
  });

  it('names only its health to a worker', () => {
    const worker = given({ ROLE: 'worker', DATABASE_URL: 'postgres://a:b@localhost/c', REDIS_URL: 'redis://localhost' });

    expect(welcome(worker, URL, {}).trim()).toBe(`The worker is ready. Health: ${URL}/health/ready`);
  });
});
