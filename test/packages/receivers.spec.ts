import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, HttpCode, type INestApplication, Module, Post, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';
import fastify from 'fastify';
import { webhookReceiver as forExpress } from '../../packages/webhooks/src/express.js';
import { webhookReceiver as forFastify } from '../../packages/webhooks/src/fastify.js';
import { type WebhookEvent, Webhooks } from '../../packages/webhooks/src/index.js';
import { DeliveredEvent, WebhookGuard } from '../../packages/webhooks/src/nest.js';
import { listenHttp } from '../support/local-receiver.js';

const SECRET = 'a secret of the customer';

type OnEvent = (event: WebhookEvent) => Promise<void>;

async function expressReceiver(onEvent: OnEvent) {
  const app = express();
  app.post('/hooks', forExpress({ secret: SECRET }, onEvent));
  app.use(express.json());
  app.post('/parsed', forExpress({ secret: SECRET }, onEvent));
  app.post('/echo', (request, response) => void response.json(request.body));
  app.use((error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
    response.status(500).send(error.message);
  });
  const { port, close } = await listenHttp(app);
  return { url: `http://127.0.0.1:${port}`, close };
}

async function fastifyReceiver(onEvent: OnEvent) {
  const app = fastify();
  await app.register(forFastify, { url: '/hooks', secret: SECRET, onEvent });
  app.post('/echo', (request) => request.body);
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
}

async function nestReceiver(onEvent: OnEvent) {
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

const BODY = '{"id":"evt_1","type":"user.created","data":{"firstName":"Zoë"}}';

describe.each([
  ['Express', expressReceiver],
  ['Fastify', fastifyReceiver],
  ['Nest', nestReceiver],
])('the %s receiver', (name, start) => {
  let receiver: Awaited<ReturnType<typeof start>>;
  let onEvent: OnEvent;
  let genuine: Record<string, string>;

  beforeAll(async () => {
    receiver = await start((event) => onEvent(event));
    genuine = await new Webhooks({ secret: SECRET }).sign(BODY, 'evt_1');
  });
  afterAll(() => receiver.close());

  const post = async (body: string, headers: Record<string, string>, path = '/hooks') => {
    const response = await fetch(receiver.url + path, { method: 'POST', body, headers });
    return { status: response.status, text: await response.text() };
  };

  it('passes the event to the handler, and returns an error when the handler throws', async () => {
    const events: WebhookEvent[] = [];
    onEvent = async (event) => {
      if (events.push(event) === 1) throw new Error('not yet');
    };
    expect((await post(BODY, genuine)).status).toBe(500);
    expect((await post(BODY, genuine)).status).toBe(204);
    expect(events).toEqual([JSON.parse(BODY), JSON.parse(BODY)]);
  });

  it('rejects a delivery with a forged signature', async () => {
    onEvent = () => Promise.reject(new Error('The handler was called.'));
    const forged = await post(`${BODY} `, genuine);
    expect(forged).toMatchObject({ status: 401, text: expect.stringContaining('signature_mismatch') });
    expect((await post(BODY, await new Webhooks({ secret: 'x' }).sign(BODY, 'evt_1'))).status).toBe(401);
    const unsigned = await post(BODY, { 'content-type': 'application/json' });
    expect(unsigned).toMatchObject({ status: 401, text: expect.stringContaining('signature_missing') });
  });

  if (name !== 'Nest')
    it('does not affect routes without a receiver', async () => {
      expect(await post('{"a":1}', { 'content-type': 'application/json' }, '/echo')).toEqual({ status: 200, text: '{"a":1}' });
    });

  if (name === 'Express') {
    it('returns an error if the body is already parsed', async () => {
      expect(await post(BODY, genuine, '/parsed')).toEqual({
        status: 500,
        text: expect.stringMatching(/before express\.json\(\)/),
      });
    });

    it('rejects a body above the maximum delivery size', async () => {
      expect((await post('x'.repeat(1_100_000), { 'content-type': 'application/json' })).status).toBe(413);
    });
  }
});
