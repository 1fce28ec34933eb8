import { describe, expect, it } from '@jest/globals';
import { deliveryHeaders } from './delivery-headers.js';
import { signPayload, standardWebhookSignature } from './signature.js';

const delivery = { messageId: 'evt_1', timestampSeconds: 1_767_225_600, body: '{"a":1}' };
const current = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('deliveryHeaders', () => {
  it('returns all headers of an attempt', () => {
    const headers = deliveryHeaders({
      ...delivery,
      serviceName: 'Acme',
      secrets: [current],
      customHeaders: { 'X-Team': 'core' },
    });

    expect(headers).toEqual({
      'x-team': 'core',
      'content-type': 'application/json',
      'user-agent': 'Acme-webhooks/1.0',
      'acme-signature': signPayload({ ...delivery, secret: current }),
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1767225600',
      'webhook-signature': standardWebhookSignature({ ...delivery, secret: current }),
    });
  });

  it("signs the service's own header with the current secret only, and webhook-signature with each secret", () => {
    const headers = deliveryHeaders({ ...delivery, serviceName: 'service', secrets: [current, 'next'], sequence: 12n });

    expect(headers['service-signature']).toBe(signPayload({ ...delivery, secret: current }));
    expect(headers['webhook-signature']).toBe(
      [current, 'next'].map((secret) => standardWebhookSignature({ ...delivery, secret })).join(' '),
    );
    expect(headers['webhook-sequence']).toBe('12');
  });

  it("omits custom headers that are reserved or can't be sent", () => {
    const customHeaders = {
      'Content-Type': 'text/plain',
      'WEBHOOK-ID': 'x',
      'Service-Signature': 'x',
      host: 'x',
      'x-a': 'b\r\nhost: c',
      ok: '1',
    };
    const headers = deliveryHeaders({ ...delivery, serviceName: 'service', secrets: [current], customHeaders });

    expect(headers).toEqual({ ...deliveryHeaders({ ...delivery, serviceName: 'service', secrets: [current] }), ok: '1' });
  });
});
