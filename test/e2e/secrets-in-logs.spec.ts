import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import { KEPT_CHARACTERS, type ServiceProcess, TestService } from '../support/service-process.js';
import { type TestBody, TestClient } from '../support/http-client.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const PASSWORD = 'lantern orbit velvet quarry';
const chosenSecrets = {
  webhookSecret: 'whsec_knownToThisTestAlone0123456789abcdefghijk',
  header: 'known-to-this-test-alone',
  clientSecret: 'client-secret-known-to-this-test-alone',
  password: PASSWORD,
  wrongPassword: 'wrong-but-perhaps-right-elsewhere',
  platformKey: randomBytes(24).toString('hex'),
  secretsKey: randomBytes(32).toString('base64'),
};

/** The service logs at the most verbose level during every operation with a secret. */
describe('the log at level trace', () => {
  let receiver: Receiver;
  let running: TestService;
  let service: ServiceProcess;
  const secrets: Record<string, string> = { ...chosenSecrets };
  const people: string[] = [];
  const rejectedCallerIds: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver(() => ({ status: 500, body: 'no' }));
    running = await TestService.create({
      PLATFORM_API_KEY: chosenSecrets.platformKey,
      SECRETS_KEY: chosenSecrets.secretsKey,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'trace',
    });
    service = await running.start();
    await useSecrets(running.url);
  }, 300_000);
  afterAll(async () => {
    await running?.stop();
    await receiver?.stop();
  });

  async function useSecrets(url: string): Promise<void> {
    const [platform, anonymous] = [new TestClient(url, chosenSecrets.platformKey), new TestClient(url)];
    const made = async (path: string, body: object): Promise<TestBody> => (await platform.post(path, body).expect(201)).body.data;
    const mailed = async (to: string): Promise<string> => {
      const { body } = await anonymous.get(`/dev/mailbox.json?to=${to}`).expect(200);
      return new URL(body.data[0].links[0]).searchParams.get('token') ?? '';
    };
    const { id } = await made('/v1/organizations', { name: 'Talkative' });
    const at = `/v1/organizations/${id}`;
    const headers = { Authorization: `Bearer ${chosenSecrets.header}` };
    await made(`${at}/webhooks`, { url: receiver.url, events: ['*'], secret: chosenSecrets.webhookSecret, headers });
    const provider = { name: 'Login', issuer: 'https://127.0.0.1:9', clientId: 'c', clientSecret: chosenSecrets.clientSecret };
    const { id: providerId } = await made(`${at}/identity-providers`, provider);
    await anonymous.post('/v1/auth/oidc/start', { organization: id, provider: providerId });
    const { key, id: keyId } = await made(`${at}/api-keys`, { name: 'k', scopes: ['users:read'] });
    const limited = new TestClient(url, key);
    await limited.get(`${at}/webhooks`).expect(403);
    await limited.get('/v1/organizations/somebody-elses/users').expect(404);
    rejectedCallerIds.push(keyId);
    const email = 'ada.of.the.log@example.com';
    people.push(email);
    const { id: userId } = await made(`${at}/users`, { email, sendInvitation: true });
    const invitation = await mailed(email);
    await anonymous.post('/v1/auth/accept-invitation', { token: invitation, password: PASSWORD }).expect(200);
    await anonymous.post('/v1/auth/login', { organization: id, email, password: chosenSecrets.wrongPassword }).expect(401);
    const session = (await anonymous.post('/v1/auth/login', { organization: id, email, password: PASSWORD }).expect(200)).body
      .data.sessionToken;
    await new TestClient(url, session).get(`${at}/webhooks`).expect(403);
    rejectedCallerIds.push(userId);
    const seed = (await new TestClient(url, session).post('/v1/auth/mfa/totp', {}).expect(200)).body.data.secret;
    await anonymous.post('/v1/auth/forgot-password', { organization: id, email }).expect(202);
    const reset = await mailed(email);
    await anonymous.get(`/reset-password?token=${reset}`);
    await new TestClient(url, `${key}x`).get(at).expect(401);
    const broken = `{"password":"${chosenSecrets.wrongPassword}`;
    await anonymous.raw('POST', '/v1/auth/login', broken, { 'content-type': 'application/json' }).expect(400);
    Object.assign(secrets, { key, invitation, session, seed, reset });
    await receiver.waitFor(1, 30_000);
    // The delivery attempt and the request with malformed JSON are logged last.
    const logged = () =>
      /"deliveryId":"dlv_/.test(service.stdout) && requestLines().some((line) => line.includes('"status":400'));
    await eventually(logged, 30_000, 'the log has the delivery attempt and the last request');
  }

  const requestLines = (): string[] => service.stdout.split('\n').filter((line) => line.includes('"msg":"request"'));

  it('contains no secrets and no email addresses', () => {
    const log = service.stdout + service.stderr;
    // The oldest lines of a longer log would be missing.
    expect(service.stdout.length).toBeLessThan(KEPT_CHARACTERS);
    expect(log).toMatch(/"route":"\/v1\/auth\/login"/);
    expect(log).toMatch(/"deliveryId":"dlv_/);
    expect(Object.keys(secrets)).toHaveLength(12);
    const texts = [...Object.entries(secrets), ...people.map((email) => [email, email] as const)];
    expect(texts.filter(([, secret]) => secret.length < 12 || log.includes(secret)).map(([name]) => name)).toEqual([]);
  });

  it('names the caller of a rejected request by id', () => {
    const lines = requestLines();
    const rejectedCalls = lines
      .map((line) => JSON.parse(line) as { status: number; callerId?: string })
      .flatMap(({ status, callerId }) => ((status === 403 || status === 404) && callerId ? [[status, callerId]] : []));
    const [keyId, userId] = rejectedCallerIds;
    expect(rejectedCalls).toEqual([
      [403, keyId],
      [404, keyId],
      [403, userId],
    ]);
    expect(lines.filter((line) => line.includes('"status":401')).every((line) => !line.includes('callerId'))).toBe(true);
  });
});
