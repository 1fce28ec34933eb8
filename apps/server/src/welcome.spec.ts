import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '#platform/config';
import { welcome } from './welcome.js';

const URL = 'http://localhost:3000';
const LINK = { token: 'once', expiresAt: new Date() };
const WORKER = { ROLE: 'worker', DATABASE_URL: 'postgres://a:b@localhost/c', REDIS_URL: 'redis://localhost' };
const PLATFORM_API_KEY = randomBytes(32).toString('hex');

describe('welcome message', () => {
  it.each<[string, Record<string, string>, Parameters<typeof welcome>[2], string | RegExp]>([
    ['a new key', {}, { newKey: 'service_sk_new' }, '\n  service_sk_new\n'],
    ['a command with it', {}, { newKey: 'k' }, `curl -H "Authorization: Bearer k" ${URL}/v1/organizations`],
    ['the address of the documentation', {}, {}, `${URL}/docs`],
    ['how to replace a lost key', {}, {}, 'set PLATFORM_API_KEY'],
    [
      'the operator link',
      {},
      { link: LINK },
      `\nDashboard link (works once, expires an hour after the first start): ${URL}/dashboard/getting-started#token=once\n`,
    ],
    ['the dashboard without a link', {}, {}, /^Dashboard: +http:\/\/localhost:3000\/dashboard$/m],
    ['the mailbox without an SMTP server', {}, {}, `${URL}/dev/mailbox`],
    ['no mailbox with an SMTP server', { SMTP_URL: 'smtp://localhost:2525' }, {}, /^(?!.*mailbox)/s],
    ['no PLATFORM_API_KEY', { PLATFORM_API_KEY }, {}, new RegExp(`^(?!.*${PLATFORM_API_KEY})`, 's')],
    ['only the health check of a worker', WORKER, {}, /^\s*The worker is ready. Health: \S+\/health\/ready\s*$/],
  ])('contains %s', (_, environment, options, expected) => {
    const text = welcome(loadConfig(environment), URL, options);
    expect(text).toEqual(typeof expected === 'string' ? expect.stringContaining(expected) : expect.stringMatching(expected));
  });
});
