import { beforeAll, describe, expect, it } from '@jest/globals';
import { OrganizationPurgeService } from '#directory/organizations';
import { DomainCheckLoop } from '../../libs/directory/domains/src/domain-check-loop.js';
import { startApp } from '../support/app.js';
import { startDnsServer } from '../support/dns-server.js';
import { typesDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { at, made, newOrganization, read } from '../support/organizations.js';
import { CLIENT_ID, CLIENT_SECRET, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser, DAY_MS, HOUR_MS, later } from '../support/sign-in.js';
import { testServer } from '../support/test-server.js';

describe('domains', () => {
  const dns = testServer(startDnsServer);
  const app = testServer(() => startApp({ role: 'api', dnsServers: [dns.address] }));
  let org: string;
  let next = 0;

  const path = (organization: string, rest = ''): string => at(organization, `/domains${rest}`);
  const newDomain = (): string => `example-${++next}.com`;
  const add = async (name = newDomain(), where = org): Promise<TestBody> => made(app, path(where), { name });
  const verify = async ({ id }: TestBody, where = org): Promise<TestBody> =>
    (await app.api.platform.post(path(where, `/${id}/verify`)).expect(200)).body.data;
  const get = ({ id }: TestBody, where = org): Promise<TestBody> => read(app, path(where, `/${id}`));
  const publish = ({ record }: TestBody): void => dns.set(record.name, [record.value]);
  const verified = async (name = newDomain(), where = org): Promise<TestBody> => {
    const domain = await add(name, where);
    publish(domain);
    return verify(domain, where);
  };
  const discover = async (email: string): Promise<TestBody> =>
    (await app.api.anonymous.post('/v1/auth/sign-in-options', { email }).expect(200)).body.data;
  /** Checks all due domains at a later time. */
  const checkLater = (ms: number): Promise<void> =>
    later(app, ms, async () => {
      while (await app.app.get(DomainCheckLoop, { strict: false }).run());
    });

  beforeAll(async () => {
    org = (await newOrganization(app, { name: 'Acme' })).id;
  });

  it('adds, verifies and deletes a domain, and publishes an event for each change', async () => {
    const events = await typesDuring(app, async () => {
      const domain = await add('Acme.Example.');
      expect(domain).toMatchObject({ name: 'acme.example', status: 'pending', verifiedAt: null, lastError: null });
      expect(domain.record).toEqual({
        type: 'TXT',
        name: '_identity-verification.acme.example',
        value: expect.stringMatching(/^identity-verification=[\w-]{32}$/),
      });
      expect(await verify(domain)).toMatchObject({ status: 'pending', lastError: 'record_missing' });
      publish(domain);
      expect(await verify(domain)).toMatchObject({ status: 'verified', lastError: null, verifiedAt: expect.any(String) });
      expect(await verify(domain)).toMatchObject({ status: 'verified' });
      await app.api.platform.delete(path(org, `/${domain.id}`)).expect(204);
    });
    expect(events).toEqual(['domain.created', 'domain.verified', 'domain.deleted']);
  });

  it('stores the ASCII form of a domain, so that similar names differ', async () => {
    const latin = await add('paypal.example');
    const cyrillic = await add('pаypal.example');
    expect([latin.name, cyrillic.name]).toEqual(['paypal.example', 'xn--pypal-4ve.example']);
    // Not shown in Unicode, because the label mixes scripts.
    expect(cyrillic.unicodeName).toBe('xn--pypal-4ve.example');
    await app.api.platform.post(path(org), { name: 'XN--PYPAL-4VE.example' }).expect(409);
  });

  it('accepts a record among others and in several strings, and no other value', async () => {
    const domain = await add();
    const { name, value } = domain.record;
    dns.set(name, ['v=spf1 -all', `${value}x`, value.slice(0, -1)]);
    expect(await verify(domain)).toMatchObject({ status: 'pending', lastError: 'record_missing' });
    dns.set(name, ['v=spf1 -all', [value.slice(0, 10), value.slice(10)]]);
    expect(await verify(domain)).toMatchObject({ status: 'verified' });
  });

  it('has one owner for each domain, even in concurrent requests', async () => {
    const name = newDomain();
    const organizations = [org, ...(await Promise.all([1, 2, 3].map(() => newOrganization(app)))).map(({ id }) => id)];
    const domains = await Promise.all(organizations.map((where) => add(name, where)));
    const values = domains.map(({ record }) => record.value);
    dns.set(domains[0]!.record.name, values);
    const results = await Promise.all(domains.map((domain, index) => verify(domain, organizations[index])));
    const outcomes = results.map(({ lastError, status }) => lastError ?? status);
    expect(outcomes.toSorted()).toEqual([...Array(3).fill('domain_taken'), 'verified']);

    const winner = results.findIndex(({ status }) => status === 'verified');
    const loser = (winner + 1) % organizations.length;
    await app.api.platform.delete(path(organizations[winner], `/${domains[winner]!.id}`)).expect(204);
    expect(await verify(domains[loser], organizations[loser])).toMatchObject({ status: 'verified', lastError: null });
  });

  describe('the daily check', () => {
    it('verifies a domain whose record appears within a week', async () => {
      const domain = await add();
      await checkLater(0);
      expect(await get(domain)).toMatchObject({ status: 'pending', lastError: 'record_missing' });
      publish(domain);
      expect(await typesDuring(app, () => checkLater(2 * HOUR_MS))).toEqual(['domain.verified']);
      const late = await add();
      await checkLater(8 * DAY_MS);
      publish(late);
      await checkLater(9 * DAY_MS);
      expect(await get(late)).toMatchObject({ status: 'pending' });
    });

    it('ends a verification after three days without the record, and another organization can verify the domain', async () => {
      const domain = await verified();
      dns.set(domain.record.name, 'nxdomain');
      await checkLater(25 * HOUR_MS);
      expect(await get(domain)).toMatchObject({ status: 'verified', lastError: 'record_missing' });
      expect((await discover(`jane@${domain.name}`)).organization).toMatchObject({ id: org });
      expect(await typesDuring(app, () => checkLater(5 * DAY_MS))).toEqual(['domain.verification_failed']);
      expect(await get(domain)).toMatchObject({ status: 'failed', verifiedAt: null });
      expect((await discover(`jane@${domain.name}`)).organization).toBeNull();

      const other = (await newOrganization(app)).id;
      expect(await verified(domain.name, other)).toMatchObject({ status: 'verified' });
      publish(domain);
      expect(await verify(domain)).toMatchObject({ status: 'failed', lastError: 'domain_taken' });
    });

    it('forgets failures after a successful check, and never ends a verification because DNS fails', async () => {
      const domain = await verified();
      dns.set(domain.record.name, 'nxdomain');
      await checkLater(25 * HOUR_MS);
      publish(domain);
      await checkLater(27 * HOUR_MS);
      dns.set(domain.record.name, 'nxdomain');
      await checkLater(5 * DAY_MS);
      expect(await get(domain)).toMatchObject({ status: 'verified', lastError: 'record_missing' });
      const other = await verified();
      dns.set(other.record.name, 'servfail');
      for (const days of [2, 4, 6]) await checkLater(days * DAY_MS);
      expect(await get(other)).toMatchObject({ status: 'verified', lastError: 'dns_unavailable' });
    });
  });

  it('checks a domain soon although DNS servers of many other domains do not answer', async () => {
    for (let index = 0; index < 12; index++) dns.set((await add()).record.name, 'silent');
    const domain = await add();
    publish(domain);
    const start = performance.now();
    await checkLater(1_000);
    expect((await get(domain)).status).toBe('verified');
    expect(performance.now() - start).toBeLessThan(45_000);
  });

  it('rejects more than 500 domains in an organization', async () => {
    const full = (await newOrganization(app)).id;
    await app.database.query(
      `INSERT INTO domains (tenant_id, id, organization_id, name, token, status, created_at, updated_at)
       SELECT $1, 'dmn_' || n, $1, 'name-' || n || '.example', 't', 'pending', now(), now() FROM generate_series(1, 500) n`,
      [full],
    );
    await app.api.platform.post(path(full), { name: newDomain() }).expect(409, 'domain_limit');
  });

  it('deletes the domains of an organization that is purged', async () => {
    const gone = (await newOrganization(app, { parentId: org })).id;
    const domain = await verified(newDomain(), gone);
    await app.api.platform.delete(`/v1/organizations/${gone}`).expect(204);
    expect((await discover(`jane@${domain.name}`)).organization).toBeNull();
    await later(app, 31 * DAY_MS, () => app.app.get(OrganizationPurgeService).purgeDue());
    expect(await verified(domain.name)).toMatchObject({ status: 'verified' });
  });

  it('lead the sign-in to the organization and its identity provider, whether the account exists or not', async () => {
    const domain = await verified();
    const found = await discover(`Jane@${domain.name.toUpperCase()}`);
    expect(found).toMatchObject({ organization: { id: org }, identityProvider: null });
    const { id } = await identityProvider(app, org, 'https://login.example.com', { name: 'Okta' });
    expect(await discover(`jane@${domain.name}`)).toMatchObject({ identityProvider: { id, name: 'Okta', type: 'oidc' } });
    await made(app, at(org, '/users'), { email: `known@${domain.name}` });
    expect(await discover(`known@${domain.name}`)).toEqual(await discover(`unknown@${domain.name}`));
    const none = { organization: null, identityProvider: null };
    const pending = await add();
    for (const email of [`a@sub.${domain.name}`, `a@${pending.name}`, 'a@unknown.example', 'no address', `a@${domain.name}.`])
      expect(await discover(email)).toEqual(none);
  });

  describe('that an identity provider trusts', () => {
    const provider = testServer(startScriptedProvider);
    let counter = 0;

    const fields = (trustedDomains: string[]) => {
      const client = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
      return { ...client, name: `Login ${++counter}`, issuer: provider.issuer, trustedDomains };
    };
    const create = ({ id }: TestBody, ...domains: string[]): Promise<TestBody> =>
      made(app, at(id, '/identity-providers'), fields(domains));
    const expectRejected = async ({ id }: TestBody, domains: string[], ...unverified: string[]): Promise<void> => {
      const { body } = await app.api.platform.post(at(id, '/identity-providers'), fields(domains)).expect(400);
      expectNotVerified(body, ...unverified);
    };
    const expectNotVerified = (body: TestBody, ...names: string[]): void => {
      const errors = names.map((name) => ({
        pointer: '/trustedDomains',
        code: 'domain_not_verified',
        message: expect.stringContaining(`"${name}"`),
      }));
      expect(body).toMatchObject({ code: 'validation_failed', errors });
    };
    /** Signs in a user who has an account, but no linked identity. Only a trusted provider links the account. */
    const signIn = async (org: TestBody, idp: TestBody, domain: string): Promise<number> => {
      const email = `person-${++counter}@${domain}`;
      await activeUser(app, org.id, { email });
      provider.script = { claims: { sub: `person-${counter}`, email, email_verified: true } };
      return (await oidcSignIn(app, org.id, idp.id)).status;
    };

    it('must be verified when it is added', async () => {
      const org = await newOrganization(app);
      const [own, unknown, pending] = [newDomain(), newDomain(), newDomain()];
      await verified(own, org.id);
      await add(pending, org.id);
      await expectRejected(org, [own, unknown, pending], unknown, pending);
      const idp = await create(org, own);
      expect(idp).toMatchObject({ trustedDomains: [own], unverifiedDomains: [] });
      const path = at(org.id, `/identity-providers/${idp.id}`);
      expectNotVerified((await app.api.platform.patch(path, { trustedDomains: [own, unknown] }).expect(400)).body, unknown);
      expect(await signIn(org, idp, own)).toBe(200);
    });

    it('can be in Unicode', async () => {
      const org = await newOrganization(app);
      const name = newDomain();
      await verified(`bücher.${name}`, org.id);
      const idp = await create(org, `BÜCHER.${name}`);
      expect(idp).toMatchObject({ trustedDomains: [`bücher.${name}`], unverifiedDomains: [] });
      expect(await signIn(org, idp, `bücher.${name}`)).toBe(200);
    });

    it('can be verified by an ancestor, but not by a descendant, a sibling or another tenant', async () => {
      const top = await newOrganization(app);
      const [child, sibling] = [
        await newOrganization(app, { parentId: top.id }),
        await newOrganization(app, { parentId: top.id }),
      ];
      const domain = newDomain();
      await verified(domain, top.id);
      const idp = await create(child, domain);
      expect(await signIn(child, idp, domain)).toBe(200);
      const foreign = newDomain();
      await verified(foreign, sibling.id);
      for (const org of [top, child, await newOrganization(app)]) await expectRejected(org, [foreign], foreign);
    });

    it('is not trusted while it is not verified', async () => {
      const top = await newOrganization(app);
      const org = await newOrganization(app, { parentId: top.id });
      const name = newDomain();
      const domain = await verified(name, top.id);
      const idp = await create(top, name);
      expect(await signIn(org, idp, name)).toBe(200);

      // As after three days without the DNS record.
      await app.database.query('DELETE FROM verified_domains WHERE domain_id = $1', [domain.id]);
      await app.database.query(`UPDATE domains SET status = 'failed' WHERE id = $1`, [domain.id]);
      expect(await read(app, at(top.id, `/identity-providers/${idp.id}`))).toMatchObject({
        trustedDomains: [name],
        unverifiedDomains: [name],
      });
      expect(await read(app, at(top.id, '/identity-providers'))).toMatchObject([{ unverifiedDomains: [name] }]);
      expect(await signIn(org, idp, name)).toBe(403);
      // Other changes of the provider are possible.
      await app.api.platform.patch(at(top.id, `/identity-providers/${idp.id}`), { name: 'Renamed' }).expect(200);

      await verified(name, org.id);
      // The descendant that verified the domain does not extend the trust of its ancestor.
      expect(await signIn(org, idp, name)).toBe(403);
    });

    it('stays trusted if it was trusted before domains could be verified, until it is removed', async () => {
      const org = await newOrganization(app);
      const [before, after] = [newDomain(), newDomain()];
      const idp = await create(org);
      const path = at(org.id, `/identity-providers/${idp.id}`);
      await app.database.query('UPDATE identity_providers SET trusted_domains = $2, exempt_domains = $2 WHERE id = $1', [
        idp.id,
        [before],
      ]);
      expect(await read(app, path)).toMatchObject({ trustedDomains: [before], unverifiedDomains: [before] });
      expect(await signIn(org, idp, before)).toBe(200);
      await verified(after, org.id);
      await app.api.platform.patch(path, { trustedDomains: [before, after] }).expect(200);
      expect(await signIn(org, idp, before)).toBe(200);
      await app.api.platform.patch(path, { trustedDomains: [after] }).expect(200);
      expectNotVerified((await app.api.platform.patch(path, { trustedDomains: [before, after] }).expect(400)).body, before);
    });
  });
});
