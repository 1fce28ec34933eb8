import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestBody } from '../support/http-client.js';
import { identityProvider } from '../support/oidc.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { testApp } from '../support/test-app.js';

const DISCOVERY = '/.well-known/openid-configuration';

/** Only administrators get the reason why a provider can't be used. */
describe('the identity provider check', () => {
  const app = testApp();
  let provider: ScriptedProvider;
  let org: TestBody;
  beforeAll(async () => {
    provider = await startScriptedProvider();
    org = (await app.api.platform.post('/v1/organizations', { name: 'Checked' }).expect(201)).body.data;
  });
  afterAll(() => provider.stop());
  afterEach(() => {
    provider.script = { claims: {} };
  });

  const check = async (issuer = provider.issuer, fields: object = {}): Promise<TestBody> => {
    const { id } = await identityProvider(app, org.id, issuer, { name: `Provider ${issuer}`, ...fields });
    const path = `/v1/organizations/${org.id}/identity-providers/${id}`;
    const { data } = (await app.api.platform.post(`${path}/check`).expect(200)).body;
    await app.api.platform.delete(path).expect(204);
    return data;
  };

  it('accepts a correct provider, even if disabled', async () => {
    const usableProvider = { usable: true, redirectUri: `${app.config.baseUrl}/v1/auth/oidc/callback` };
    expect(await check()).toEqual(usableProvider);
    expect(await check(provider.issuer, { enabled: false })).toEqual(usableProvider);
  });

  it.each(['https://login.example.com/', 'https://login.example.com'])(
    'reports that the discovery document names the issuer %s',
    async (issuer) => {
      provider.script.metadata = { issuer };
      const message = `The provider reports the issuer "${issuer}". Enter the issuer exactly like this.`;
      expect(await check()).toMatchObject({ usable: false, problem: { code: 'other_issuer', message } });
    },
  );

  it('rejects an issuer without the final slash', async () => {
    provider.script.metadata = { issuer: `${provider.issuer}/` };
    expect(await check()).toMatchObject({ problem: { code: 'other_issuer' } });
  });

  it('reports the status of an error response', async () => {
    const { problem } = await check(`${provider.issuer}/nowhere`);
    expect(problem).toEqual({
      code: 'unexpected_answer',
      message: 'The request for the discovery document returned status 404 instead of 200.',
    });
  });

  it.each([
    ['text/html', '<p>Sign in</p>'],
    ['application/json', '{"issuer":'],
    ['application/json', '{"secret":"of somebody else"}'],
  ])('rejects a discovery document of type %s that contains %s', async (type, body) => {
    provider.script.handle = (path, response) => {
      if (path !== DISCOVERY) return false;
      response.writeHead(200, { 'content-type': type }).end(body);
      return true;
    };
    expect(await check()).toMatchObject({
      usable: false,
      problem: { code: 'unexpected_answer', message: 'The response is not an OpenID Connect discovery document.' },
    });
  });

  it('names a field of the discovery document without a valid value', async () => {
    provider.script.metadata = { authorization_endpoint: 'javascript:alert(1)' };
    const message =
      'The field authorization_endpoint of the discovery document must be an https URL without user name, password and fragment.';
    expect(await check()).toMatchObject({ usable: false, problem: { code: 'unexpected_answer', message } });
  });

  it("reports that the provider can't be reached", async () => {
    const stopped = await startScriptedProvider();
    await stopped.stop();
    expect(await check(stopped.issuer)).toMatchObject({ usable: false, problem: { code: 'unreachable' } });
  });
});
