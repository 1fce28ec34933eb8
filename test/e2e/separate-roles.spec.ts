import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import { type ServiceProcess, TestService } from '../support/service-process.js';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type RedisServer, startRedis } from '../support/redis.js';

const LIMIT_MS = 20_000;
const EMAIL = 'ada.of.the.traces@example.com';

/** One API process, and two worker processes that share a second port. All processes use one PostgreSQL and one Redis, and send traces. */
describe('a separate worker process', () => {
  let service: TestService;
  let redis: RedisServer;
  let receiver: Receiver;
  let collector: OtlpReceiver;
  let api: ServiceProcess;
  let workers: ServiceProcess;
  let client: TestClient;
  let workerClient: TestClient;
  let receiverStatus = 200;

  beforeAll(async () => {
    [redis, collector] = await Promise.all([startRedis(), startOtlpReceiver()]);
    receiver = await startReceiver(() => ({ status: receiverStatus }));
    const workerPort = await findFreePort();
    service = await TestService.create({
      REDIS_URL: redis.url,
      WEBHOOK_RETRY_SCHEDULE: '100ms,1s',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'identity-of-the-test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    [api, workers] = await Promise.all([
      service.start({ ROLE: 'api' }),
      service.start({ ROLE: 'worker', WORKERS: '2', PORT: String(workerPort) }),
    ]);
    ({ client } = service);
    workerClient = new TestClient(`http://127.0.0.1:${workerPort}`, service.environment['PLATFORM_API_KEY']);
    await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.*'] }).expect(201);
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await Promise.all([receiver?.stop(), collector?.stop(), redis?.stop()]);
  });

  it('delivers the events of the API process', async () => {
    const before = receiver.requests.length;
    await client.post('/v1/organizations/acme/users', { email: 'first@example.com' }).expect(201);

    await receiver.waitFor(before + 1, LIMIT_MS);
    await workerClient.get('/v1/organizations').expect(404);
    expect((await workerClient.get('/health/ready').expect(200)).body.checks.queue).toBe('ok');
    expect(api.stdout).not.toContain('Delivery attempt');
  });

  it('comes from a bundle that converts the parameters of derived request classes', async () => {
    await client.raw('HEAD', '/v1/organizations/acme/events/stream?includeDescendants=true', undefined, {}).expect(200);
  });

  it('adds each delivery attempt to the trace of the request', async () => {
    receiverStatus = 500;
    const traceId = randomBytes(16).toString('hex');
    const before = receiver.requests.length;
    await client
      .post('/v1/organizations/acme/users', { email: EMAIL }, { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } })
      .expect(201);
    await receiver.waitFor(before + 1, LIMIT_MS);
    receiverStatus = 200;
    await receiver.waitFor(before + 2, LIMIT_MS);

    const spans = await collector.waitFor((span) => span.traceId === traceId, 4, LIMIT_MS);
    const [request, ...others] = spans.toSorted((one, other) => one.kind - other.kind);
    expect(request).toMatchObject({
      kind: 2,
      name: 'POST /v1/organizations/:org/users',
      parentSpanId: '00f067aa0ba902b7',
      service: 'identity-of-the-test',
      attributes: { 'http.route': '/v1/organizations/:org/users', 'http.response.status_code': 201 },
    });
    expect(new Set(others.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request!.spanId]));
    const workerSpans = others.map(({ name, attributes, failed }) => ({
      name,
      failed,
      attempt: attributes['delivery.attempt'],
      status: attributes['http.response.status_code'],
    }));
    expect(workerSpans).toHaveLength(3);
    expect(workerSpans).toEqual(
      expect.arrayContaining([
        { name: 'relay user.created', failed: false, attempt: undefined, status: undefined },
        { name: 'deliver user.created', failed: true, attempt: 1, status: 500 },
        { name: 'deliver user.created', failed: false, attempt: 2, status: 200 },
      ]),
    );
    // Traces and logs contain ids, and no email addresses.
    expect(collector.text).not.toContain(EMAIL);
    expect(api.stdout + workers.stdout).not.toContain(EMAIL);
    expect(api.stdout).toContain(`"traceId":"${traceId}"`);
  });

  it('delivers events while Redis is unavailable', async () => {
    const before = receiver.requests.length;
    await redis.kill('SIGKILL');
    const isFailed = async () => (await client.get('/health/ready')).body.checks.queue === 'failed';
    await eventually(isFailed, LIMIT_MS, 'the API notices the outage');
    await client.get('/health/ready').expect(200);
    await workerClient.get('/health/ready').expect(503);
    await client.post('/v1/organizations/acme/users', { email: 'meanwhile@example.com' }).expect(201);
    await receiver.waitFor(before + 1, LIMIT_MS);

    redis = await startRedis({ port: redis.port });
    const isReady = async () => (await workerClient.get('/health/ready')).status === 200;
    await eventually(isReady, LIMIT_MS, 'the workers are ready');
    await client.get('/health/ready').expect(200);
  });
});
