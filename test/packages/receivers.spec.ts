import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, HttpCode, type INestApplication, Module, Post, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';
import fastify from 'fastify';
import { createIdentityClient, type IdentityClient } from '../../packages/client/src/index.js';
import { webhookReceiver as forExpress } from '../../packages/webhooks/src/express.js';
import { webhookReceiver as forFastify } from '../../packages/webhooks/src/fastify.js';
import { type WebhookEvent, Webhooks } from '../../packages/webhooks/src/index.js';
import { DeliveredEvent, WebhookGuard } from '../../packages/webhooks/src/nest.js';
import { testApp } from '../support/test-app.js';

const SECRET = 'a secret of the customer';

interface Receiver {
  url: string;
  close(): Promise<unknown>;
}

type OnEvent = (event: WebhookEvent) => Promise<void>;

async function expressReceiver(onEvent: OnEvent): Promise<Receiver> {
  const app = express();
  app.post('/hooks', forExpress({ secret: SECRET }, onEvent));
  app.use(express.json());
  app.post('/parsed', forExpress({ secret: SECRET }, onEvent));
  app.post('/echo', (request, response) => void response.json(request.body));
  app.use((error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
    response.status(500).send(error.message);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function fastifyReceiver(onEvent: OnEvent): Promise<Receiver> {
  const app = fastify();
  await app.register(forFastify, { url: '/hooks', secret: SECRET, onEvent });
  app.post('/echo', (request) => request.body);
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
}

async function nestReceiver(onEvent: OnEvent): Promise<Receiver> {
  @Controller()
  class HooksController {
    @Post('hooks')
    @HttpCode(204)
    @UseGuards(WebhookGuard(() => ({ secret: SECRET })))
    receive(@DeliveredEvent() event: WebhookEvent): Promise<void> {
      return onEvent(event);
    }
  }
  @Module({ controllers: [HooksController] })
  class HooksModule {}
  const app: INestApplication = await NestFactory.create(HooksModule, { rawBody: true, logger: false });
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), close: () => app.close() };
}

describe('a webhook receiver', () => {
  const app = testApp();
  let identity: IdentityClient;

  beforeAll(async () => {
    identity = createIdentityClient({ baseUrl: app.url, apiKey: app.platformKey });
  });

  describe.each([
    ['Express', expressReceiver],
    ['Fastify', fastifyReceiver],
    ['Nest', nestReceiver],
  ])('the %s receiver', (name, start) => {
    let receiver: Receiver;
    let onEvent: OnEvent;
    const org = name.toLowerCase();

    beforeAll(async () => {
      await identity.createOrganization({ body: { name, slug: org } });
      receiver = await start((event) => onEvent(event));
    });
    afterAll(() => receiver.close());

    const post = async (body: string, headers: Record<string, string>): Promise<{ status: number; text: string }> => {
      const response = await fetch(`${receiver.url}/hooks`, { method: 'POST', body, headers });
      return { status: response.status, text: await response.text() };
    };

    it('returns an error when the handler throws', async () => {
      const events: WebhookEvent[] = [];
      const first = new Promise<WebhookEvent>((resolve) => {
        onEvent = (event) => {
          events.push(event);
          resolve(event);
          return Promise.reject(new Error('not yet'));
        };
      });
      const webhook = await identity.createWebhook({
        org,
        body: { url: `${receiver.url}/hooks`, events: ['user.*'], secret: SECRET },
      });
      const user = await identity.createUser({ org, body: { email: 'ada@example.com', firstName: 'Zoë' } });
      const event = await first;
      if (event.type !== 'user.created') throw new Error(`${event.type} came.`);
      expect(event.data).toMatchObject({ id: user.id, email: 'ada@example.com', firstName: 'Zoë' });

      const deliveries = identity.listDeliveries({ org, id: webhook.id });
      const settled = async (code: number): Promise<string> => {
        for (;;) {
          const [delivery] = await deliveries.take(1);
          if (delivery?.lastResponseCode === code) return delivery.id;
        }
      };
      const deliveryId = await settled(500);
      onEvent = async (again) => void events.push(again);
      await identity.retryDelivery({ org, id: webhook.id, deliveryId });
      await settled(204);
      expect(events).toHaveLength(2);
      expect(events[1]).toEqual(events[0]);
    });

    it('rejects a delivery with a forged signature', async () => {
      let calls = 0;
      onEvent = async () => void (calls += 1);
      const body = '{"id":"evt_1","type":"user.created"}';
      const headers = await new Webhooks({ secret: SECRET }).sign(body, 'evt_1');
      expect((await post(body, headers)).status).toBe(204);
      expect(calls).toBe(1);
      const forged = await post(`${body} `, headers);
      expect(forged).toMatchObject({ status: 401, text: expect.stringContaining('signature_mismatch') });
      expect((await post(body, await new Webhooks({ secret: 'x' }).sign(body, 'evt_1'))).status).toBe(401);
      expect(await post(body, { 'content-type': 'application/json' })).toMatchObject({
        status: 401,
        text: expect.stringContaining('signature_missing'),
      });
      expect(calls).toBe(1);
    });

    if (name !== 'Nest') {
      it('does not affect routes without a receiver', async () => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`${receiver.url}/echo`, { method: 'POST', body: '{"a":1}', headers });
        expect(await response.json()).toEqual({ a: 1 });
      });
    }

    if (name === 'Express') {
      it('returns an error if the body is already parsed', async () => {
        const body = '{"id":"evt_1","type":"user.created"}';
        const headers = await new Webhooks({ secret: SECRET }).sign(body, 'evt_1');
        const response = await fetch(`${receiver.url}/parsed`, { method: 'POST', body, headers });
        expect([response.status, await response.text()]).toEqual([500, expect.stringMatching(/before express\.json\(\)/)]);
      });

      it('rejects a body above the maximum delivery size', async () => {
        const refused = await post('x'.repeat(1_100_000), { 'content-type': 'application/json' });
        expect(refused.status).toBe(413);
      });
    }
  });
});
