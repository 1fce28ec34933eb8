import { describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { loadLibrary } from './library.js';

/** What the service uses of the library although it is not documented. A failure means: read what the new version changed. */
describe('oidc-provider', () => {
  it('generates tokens and compares secrets where the service expects it', async () => {
    const { Provider, ExternalSigningKey, interactionPolicy, errors } = await loadLibrary();
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const provider = new Provider('https://iam.example.com', {
      adapter: () => ({}),
      jwks: { keys: [await exportJWK(privateKey)] },
      clientDefaults: { id_token_signed_response_alg: 'ES256' },
      features: { deviceFlow: { enabled: true }, externalSigningSupport: { enabled: true, ack: 'experimental-01' } },
    });
    for (const name of ['keyObject', 'sign', 'kid', 'alg', 'use']) expect(name in ExternalSigningKey.prototype).toBe(true);
    for (const kind of ['AuthorizationCode', 'AccessToken', 'RefreshToken', 'ClientCredentials', 'DeviceCode'] as const)
      expect(provider[kind].prototype).toHaveProperty('generateTokenId', expect.any(Function));
    expect(provider).toMatchObject({ registerGrantType: expect.any(Function), ResourceServer: expect.any(Function) });
    expect(provider.ReplayDetection.unique).toEqual(expect.any(Function));
    expect(provider.Client.prototype.compareClientSecret).toEqual(expect.any(Function));
    expect(provider.Session.prototype.sidFor).toEqual(expect.any(Function));
    const { checks } = interactionPolicy.base().get('consent') as unknown as { checks: { reason: string }[] };
    const reasons = [
      'consent_prompt',
      'native_client_prompt',
      'op_scopes_missing',
      'op_claims_missing',
      'rs_scopes_missing',
      'rar_prompt',
    ];
    expect(checks.map(({ reason }) => reason)).toEqual(reasons);
    expect(Object.keys(errors)).toEqual(
      expect.arrayContaining([
        'AccessDenied',
        'InvalidClient',
        'InvalidDpopProof',
        'InvalidGrant',
        'InvalidRequest',
        'InvalidScope',
        'InvalidTarget',
        'SlowDown',
      ]),
    );
  });
});
