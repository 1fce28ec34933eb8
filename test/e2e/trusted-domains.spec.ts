import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import type { TestBody } from '../support/http-client.js';
import { oidcSignIn } from '../support/oidc.js';
import { made, newOrganization, read } from '../support/organizations.js';
import { CLIENT_ID, CLIENT_SECRET, type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser } from '../support/sign-in.js';

describe('a trusted domain of an identity provider', () => {
  let app: TestApp;
  let dns: DnsServer;
  let provider: ScriptedProvider;
  let counter = 0;
  beforeAll(async () => {
    dns = await startDnsServer();
    provider = await startScriptedProvider();
    app = await startApp({ dnsServers: [dns.address] });
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([dns.close(), provider.stop()]);
  });

  const at = ({ id }: TestBody, rest = ''): string => `/v1/organizations/${id}${rest}`;
  const newDomain = (): string => `trusted-${++counter}.example`;
  const verified = async (org: TestBody, name: string): Promise<TestBody> => {
    const domain = await made(app, at(org, '/domains'), { name });
    dns.set(domain.record.name, [domain.record.value]);
    await app.api.platform.post(at(org, `/domains/${domain.id}/verify`)).expect(200);
    return domain;
  };
  const fields = (trustedDomains: string[]) => ({
    name: `Login ${++counter}`,
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    trustedDomains,
  });
  const create = (org: TestBody, ...domains: string[]): Promise<TestBody> =>
    made(app, at(org, '/identity-providers'), fields(domains));
  const get = async (org: TestBody, { id }: TestBody): Promise<TestBody> => await read(app, at(org, `/identity-providers/${id}`));
  /** Signs in a user who has an account, but no linked identity. Only a trusted provider links the account. */
  const signIn = async (org: TestBody, idp: TestBody, domain: string): Promise<number> => {
    const email = `person-${++counter}@${domain}`;
    await activeUser(app, org.id, { email });
    provider.script = { claims: { sub: `person-${counter}`, email, email_verified: true } };
    return (await oidcSignIn(app, org.id, idp.id)).status;
  };
  const expectRejected = (body: TestBody, ...names: string[]): void => {
    expect(body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(body.errors.map(({ pointer, code }: TestBody) => [pointer, code])).toEqual(
      names.map(() => ['/trustedDomains', 'domain_not_verified']),
    );
    for (const [index, name] of names.entries()) expect(body.errors[index].message).toContain(`"${name}"`);
  };

  it('must be verified when it is added', async () => {
    const org = await newOrganization(app);
    const [own, unknown, pending] = [newDomain(), newDomain(), newDomain()];
    await verified(org, own);
    await made(app, at(org, '/domains'), { name: pending });
    const created = await app.api.platform.post(at(org, '/identity-providers'), fields([own, unknown, pending])).expect(400);
    expectRejected(created.body, unknown, pending);
    const idp = await create(org, own);
    expect(idp).toMatchObject({ trustedDomains: [own], unverifiedDomains: [] });
    const path = at(org, `/identity-providers/${idp.id}`);
    expectRejected((await app.api.platform.patch(path, { trustedDomains: [own, unknown] }).expect(400)).body, unknown);
    expect(await signIn(org, idp, own)).toBe(200);
  });

  it('can be in Unicode', async () => {
    const org = await newOrganization(app);
    const name = newDomain();
    await verified(org, `bücher.${name}`);
    const idp = await create(org, `BÜCHER.${name}`);
    expect(idp).toMatchObject({ trustedDomains: [`bücher.${name}`], unverifiedDomains: [] });
    expect(await signIn(org, idp, `bücher.${name}`)).toBe(200);
  });

  it('can be verified by an ancestor, but not by a descendant, a sibling or another tenant', async () => {
    const top = await newOrganization(app);
    const [child, sibling] = [await newOrganization(app, { parentId: top.id }), await newOrganization(app, { parentId: top.id })];
    const domain = newDomain();
    await verified(top, domain);
    const idp = await create(child, domain);
    expect(await signIn(child, idp, domain)).toBe(200);
    const foreign = newDomain();
    await verified(sibling, foreign);
    for (const org of [top, child, await newOrganization(app)])
      expectRejected((await app.api.platform.post(at(org, '/identity-providers'), fields([foreign])).expect(400)).body, foreign);
  });

  it('is not trusted while it is not verified', async () => {
    const top = await newOrganization(app);
    const org = await newOrganization(app, { parentId: top.id });
    const name = newDomain();
    const domain = await verified(top, name);
    const idp = await create(top, name);
    expect(await signIn(org, idp, name)).toBe(200);

    await app.api.platform.delete(at(top, `/domains/${domain.id}`)).expect(204);
    expect(await get(top, idp)).toMatchObject({ trustedDomains: [name], unverifiedDomains: [name] });
    const { body } = await app.api.platform.get(at(top, '/identity-providers')).expect(200);
    expect(body.data).toMatchObject([{ unverifiedDomains: [name] }]);
    expect(await signIn(org, idp, name)).toBe(403);
    // Other changes of the provider are possible.
    await app.api.platform.patch(at(top, `/identity-providers/${idp.id}`), { name: 'Renamed' }).expect(200);

    await verified(org, name);
    // The descendant that verified the domain does not extend the trust of its ancestor.
    expect(await signIn(org, idp, name)).toBe(403);
  });

  it('stays trusted if it was trusted before domains could be verified, until it is removed', async () => {
    const org = await newOrganization(app);
    const [before, after] = [newDomain(), newDomain()];
    const idp = await create(org);
    await app.database.query('UPDATE identity_providers SET trusted_domains = $2, exempt_domains = $2 WHERE id = $1', [
      idp.id,
      [before],
    ]);
    expect(await get(org, idp)).toMatchObject({ trustedDomains: [before], unverifiedDomains: [before] });
    expect(await signIn(org, idp, before)).toBe(200);
    const path = at(org, `/identity-providers/${idp.id}`);
    await verified(org, after);
    await app.api.platform.patch(path, { trustedDomains: [before, after] }).expect(200);
    expect(await signIn(org, idp, before)).toBe(200);
    await app.api.platform.patch(path, { trustedDomains: [after] }).expect(200);
    expectRejected((await app.api.platform.patch(path, { trustedDomains: [before, after] }).expect(400)).body, before);
  });
});
