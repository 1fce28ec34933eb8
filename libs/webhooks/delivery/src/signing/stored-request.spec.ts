import { describe, expect, it } from '@jest/globals';
import { deliveryHeaders, storedHeaders, restoredHeaders } from './index.js';

const MASK = '********';
const input = {
  secrets: ['first secret', 'second secret'] as [string, ...string[]],
  messageId: 'evt_1',
  timestampSeconds: 1_795_271_002,
  body: '{"id":"evt_1"}',
};

describe('a stored request', () => {
  it.each([
    ['service', '17', {}],
    ['acme-id', '17', { Authorization: 'Bearer secret', 'X-Signature': 'of the customer' }],
    ['x', null, { 'x-webhook': '1' }],
    ['a-signature', '9007199254740993', { 'a-signature': 'z' }],
  ])(
    'restores all headers except the values of custom headers (service %s, sequence number %s, custom headers %j)',
    (serviceName, sequence, customHeaders) => {
      const sent = deliveryHeaders({ ...input, serviceName, ...(sequence === null ? {} : { sequence }), customHeaders });
      const kept = storedHeaders(sent, serviceName);
      const masked = Object.fromEntries(Object.keys(customHeaders).map((name) => [name.toLowerCase(), MASK]));

      expect(restoredHeaders(kept, input.messageId, sequence)).toEqual({ ...sent, ...masked });
      // `jsonb` returns the keys in another order.
      const reordered = Object.fromEntries(Object.entries(kept).toReversed());
      expect(restoredHeaders(reordered, input.messageId, sequence)).toEqual({ ...sent, ...masked });
      expect(JSON.stringify(kept)).not.toMatch(/Bearer|of the customer/);
    },
  );

  it('restores the content type of another format', () => {
    const contentType = 'application/cloudevents+json';
    const sent = deliveryHeaders({
      ...input,
      serviceName: 'service',
      sequence: '17',
      contentType,
      customHeaders: { 'X-A': 'a' },
    });
    const kept = storedHeaders(sent, 'service');
    expect(restoredHeaders(kept, input.messageId, '17')).toEqual({ ...sent, 'x-a': MASK });
    const reordered = Object.fromEntries(Object.entries(kept).toReversed());
    expect(restoredHeaders(reordered, input.messageId, '17')).toEqual({ ...sent, 'x-a': MASK });
  });

  it('stores only the signatures and the names of custom headers', () => {
    const sent = deliveryHeaders({ ...input, serviceName: 'service', sequence: 1, customHeaders: { 'X-A': 'a' } });
    expect(storedHeaders(sent, 'service')).toEqual({
      'service-signature': sent['service-signature'],
      'webhook-signature': sent['webhook-signature'],
      'x-a': null,
    });
  });
});
