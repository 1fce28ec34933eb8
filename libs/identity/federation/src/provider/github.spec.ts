import { describe, expect, it } from '@jest/globals';
import { githubApi } from './github.js';
import { githubClaims } from './github-claims.js';

describe('githubApi', () => {
  it.each([
    ['https://github.com', 'https://api.github.com'],
    ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
    ['https://github.acme.example:8443', 'https://github.acme.example:8443/api/v3'],
    ['https://evilghe.com', 'https://evilghe.com/api/v3'],
  ])('finds the API of %s at %s', (address, api) => {
    expect(githubApi(address)).toBe(api);
  });
});

describe('githubClaims', () => {
  const address = (email: unknown, verified: unknown = true, primary: unknown = false) => ({ email, verified, primary });
  it.each([
    ['the primary address', [address('b@x.example'), address('a@x.example', true, true)], 'a@x.example'],
    ['another verified address', [address('a@x.example', false, true), address('b@x.example')], 'b@x.example'],
    ['an address in a trusted domain', [address('a@x.example', true, true), address('b@corp.example')], 'b@corp.example'],
    ['no unverified address', [address('a@corp.example', false, true)], null],
    ['only true as verified', [address('a@x.example', 'true'), address('b@x.example', 1), address('c@x.example', null)], null],
    ['no address for commits', [address('1+ada@users.noreply.github.com')], null],
    ['no address that is no address', [address(['a@x.example']), address('a'), null, 'b@x.example'], null],
    ['none of none', [], null],
  ])('takes %s', (_name, emails, email) => {
    expect(githubClaims({ id: 1 }, emails, ['corp.example'])).toMatchObject({
      email,
      emailVerified: email !== null,
      methods: [],
    });
  });

  it('takes the id as the subject, and the name and picture for the profile', () => {
    const user = {
      id: 583231,
      login: 'octocat',
      name: 'The Octocat',
      avatar_url: 'https://cdn.example.com/1',
      email: 'x@y.example',
    };
    expect(githubClaims(user, [], [])).toEqual({
      subject: '583231',
      email: null,
      emailVerified: false,
      displayName: 'The Octocat',
      picture: 'https://cdn.example.com/1',
      methods: [],
    });
  });

  it.each([
    [{ login: 'octocat' }, []],
    [{ id: '1' }, []],
    [{ id: 0 }, []],
    [{ id: 1.5 }, []],
    [{ id: 2 ** 60 }, []],
    [null, []],
    [{ id: 1 }, { message: 'Not Found' }],
  ])('rejects the responses %j and %j', (user, emails) => {
    expect(() => githubClaims(user, emails, [])).toThrow(/no valid id|no list/);
  });
});
