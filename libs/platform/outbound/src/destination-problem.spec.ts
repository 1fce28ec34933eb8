import { describe, expect, it } from '@jest/globals';
import { HOSTILE_URLS, lookupOfHostileUrls } from '../../../../test/support/hostile-urls.js';
import { destinationProblem } from './destination-problem.js';
import { type HostLookup } from './host-lookup.js';
import { NetworkPolicy } from './network-policy.js';

const publicOnly = new NetworkPolicy([]);
const loopback = new NetworkPolicy(['127.0.0.0/8', '::1/128']);
const resolvingTo =
  (...addresses: string[]): HostLookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('destinationProblem', () => {
  it.each(HOSTILE_URLS.map(({ url, why }) => [url.replace('PORT', '8443'), why]))('rejects %s (%s)', async (url) => {
    const problem = await destinationProblem(url, publicOnly, { lookup: lookupOfHostileUrls });

    expect(problem?.code).toMatch(/^url_/);
    expect(problem?.message).toMatch(/\.$/);
  });

  it.each([
    'https://example.com/hooks',
    'https://example.com:8443/a?b=c',
    'https://example.com./',
    'https://EXAMPLE.com',
    'https://bücher.example/',
  ])('accepts %s if all addresses are public', async (url) => {
    expect(await destinationProblem(url, publicOnly, { lookup: resolvingTo('93.184.215.14', '2606:4700::1') })).toBeUndefined();
  });

  it('accepts an https URL if the host name does not resolve yet', async () => {
    expect(await destinationProblem('https://new.example/', publicOnly, { lookup: lookupOfHostileUrls })).toBeUndefined();
    const lookup: HostLookup = () => new Promise(() => undefined);
    expect(await destinationProblem('https://slow.example/', publicOnly, { lookup, lookupTimeoutMs: 20 })).toBeUndefined();
  });

  it('accepts http only if all addresses are in an allowed network', async () => {
    const check = (url: string, lookup: HostLookup) => destinationProblem(url, loopback, { lookup });

    expect(await check('http://127.0.0.1:9000/', resolvingTo())).toBeUndefined();
    expect(await check('http://receiver.test/', resolvingTo('127.0.0.1', '::1'))).toBeUndefined();
    expect(await check('http://receiver.test/', resolvingTo('127.0.0.1', '93.184.215.14'))).toMatchObject({ code: 'url_scheme' });
    expect(await check('http://receiver.test/', resolvingTo('93.184.215.14'))).toMatchObject({ code: 'url_scheme' });
    expect(await check('http://unknown.test/', lookupOfHostileUrls)).toMatchObject({ code: 'url_scheme' });
    expect(await check('http://receiver.test/', resolvingTo('127.0.0.1', '10.0.0.1'))).toMatchObject({ code: 'url_address' });
  });

  it('rejects every scheme except http and https', async () => {
    expect(await destinationProblem('ftp://127.0.0.1/', loopback)).toMatchObject({ code: 'url_scheme' });
  });

  it('resolves localhost without a DNS query', async () => {
    for (const host of ['localhost', 'localhost.', 'a.localhost', 'LocalHost']) {
      expect(await destinationProblem(`https://${host}/`, publicOnly)).toMatchObject({ code: 'url_address' });
      expect(await destinationProblem(`http://${host}:3000/`, loopback)).toBeUndefined();
    }
  });

  it.each([
    ['https://user@example.com/', 'url_credentials'],
    ['https://:pw@example.com/', 'url_credentials'],
    ['https://example.com:0/', 'url_port'],
    ['ftp://example.com/', 'url_scheme'],
    ['https://exa mple.com/', 'url_invalid'],
    ['https://exa\tmple.com/', 'url_invalid'],
    [' https://example.com/', 'url_invalid'],
    ['https://example.com/\n', 'url_invalid'],
    ['https://a..b/', 'url_invalid'],
    ['https://a"b.example/', 'url_invalid'],
    ['https://example.com../', 'url_invalid'],
    [`https://example.com/${'a'.repeat(2048)}`, 'url_invalid'],
    ['example.com', 'url_invalid'],
    ['', 'url_invalid'],
  ])('maps the URL %j to the code %s', async (url, code) => {
    expect(await destinationProblem(url, publicOnly, { lookup: resolvingTo('93.184.215.14') })).toMatchObject({ code });
  });

  it.each([
    ['https://user@example.com/', /user name or password.*in one of the webhook's headers\.$/],
    ['https://example.com:0/', /Port 0 .* another port, or none\.$/],
    ['ftp://example.com/', /require https\. Use an https URL\.$/],
    ['example.com', /absolute URL of at most 2048 characters, such as https:/],
    ['https://10.0.0.1/', /deliveries are not allowed to connect to.*WEBHOOK_ALLOWED_NETWORKS\.$/],
  ])('explains how to correct the URL %s', async (url, message) => {
    expect((await destinationProblem(url, publicOnly))?.message).toMatch(message);
  });

  it('limits the length of a URL', async () => {
    const url = (length: number) => `https://example.com/${'a'.repeat(length - 'https://example.com/'.length)}`;
    const lookup = resolvingTo('93.184.215.14');
    expect(await destinationProblem(url(2_048), publicOnly, { lookup })).toBeUndefined();
    expect(await destinationProblem(url(2_049), publicOnly, { lookup })).toMatchObject({ code: 'url_invalid' });
  });

  it('rejects a host name if any address is denied', async () => {
    const lookup = resolvingTo('93.184.215.14', '10.0.0.1');
    expect(await destinationProblem('https://x.test/', publicOnly, { lookup })).toMatchObject({ code: 'url_address' });
  });

  it('looks up only host names, without the final dot', async () => {
    const resolvedNames: string[] = [];
    const lookup: HostLookup = async (name) => {
      resolvedNames.push(name);
      return [{ address: '93.184.215.14', family: 4 }];
    };
    for (const url of ['https://a.test./', 'https://93.184.215.14/', 'https://[2606:4700::1]/'])
      expect(await destinationProblem(url, publicOnly, { lookup })).toBeUndefined();
    expect(resolvedNames).toEqual(['a.test']);
  });

  it('stops waiting for the lookup after the timeout', async () => {
    const answers: (() => void)[] = [];
    const lookup: HostLookup = () => new Promise((resolve) => answers.push(() => resolve([])));
    const startedAt = performance.now();
    const byDefault = destinationProblem('https://slow.example/', publicOnly, { lookup }).then(() => 'by default');
    const shortened = destinationProblem('https://slow.example/', publicOnly, { lookup, lookupTimeoutMs: 40 }).then(
      () => 'shortened',
    );
    expect(await Promise.race([byDefault, shortened])).toBe('shortened');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(38);
    for (const answer of answers) answer();
    await byDefault;
  });

  it('returns one message for all denied addresses', async () => {
    const problems = await Promise.all(
      ['10.0.0.1', '127.0.0.1', '169.254.169.254'].map((ip) =>
        destinationProblem('https://x.test/', publicOnly, { lookup: resolvingTo(ip) }),
      ),
    );
    expect(new Set(problems.map((problem) => problem?.message)).size).toBe(1);
  });
});
