import { describe, expect, it } from '@jest/globals';
import { generateWebhookSecret } from './signing-secret.js';

describe('generateWebhookSecret', () => {
  it('returns whsec_ and 32 random bytes in base64', () => {
    const secrets = Array.from({ length: 100 }, generateWebhookSecret);

    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(100);
  });
});
