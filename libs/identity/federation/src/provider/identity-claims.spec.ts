import { describe, expect, it } from '@jest/globals';
import type { IDToken } from 'openid-client';
import { hasUsableClaims, identityClaims } from './identity-claims.js';

const TOKEN: IDToken = { iss: 'https://login.example.com', sub: 'ada', aud: 'client', iat: 0, exp: 1 };

describe('identityClaims', () => {
  it.each([
    ['https://cdn.example.com/ada.png', 'https://cdn.example.com/ada.png'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://example.com/my picture.png', undefined],
    ['javascript:alert(1)', undefined],
    [`https://example.com/${'ä'.repeat(1_000)}`, undefined],
    [7, undefined],
  ])('converts the picture %j to %j', (picture, kept) => {
    expect(identityClaims({ ...TOKEN, picture }, undefined).picture).toBe(kept);
  });

  it.each([
    ['pt-br', 'pt-BR'],
    ['en_GB', 'en-GB'],
    ['Deutsch, bitte', undefined],
    [['de'], undefined],
  ])('converts the locale %j to %j', (locale, kept) => {
    expect(identityClaims(TOKEN, { sub: 'ada', locale } as never).locale).toBe(kept);
  });

  it.each([
    ['a verified address', { email_verified: true }, true],
    ['an unverified address', { email_verified: false, xms_edov: true }, false],
    ['the text "true"', { email_verified: 'true' }, false],
    ['null, and a verified domain of Entra ID', { email_verified: null, xms_edov: true }, true],
    ['the text "false", and a verified domain of Entra ID', { email_verified: 'false', xms_edov: true }, false],
    ['no statement', {}, false],
    ['a verified domain of Entra ID', { xms_edov: true }, true],
    ['a verified domain of Entra ID as a text', { xms_edov: '1' }, true],
    ['an unverified domain of Entra ID', { xms_edov: false }, false],
  ])('reports whether the address is verified, with %s', (_name, claims, verified) => {
    expect(identityClaims({ ...TOKEN, email: 'ada@example.com', ...claims }, undefined).emailVerified).toBe(verified);
  });

  it.each([
    [{}, true],
    [{ name: 'Ada', email_verified: true }, true],
    [{ email: undefined }, false],
    [{ email: null }, false],
    [{ email: '' }, false],
    [{ email: ' ' }, false],
    [{ email: ['ada@example.com'] }, false],
    [{ email: 'ada' }, false],
    [{ email_verified: 'true' }, false],
    [{ email_verified: null }, false],
    [{ given_name: '' }, false],
    [{ name: null }, false],
    [{ picture: 7 }, false],
    [{ picture: 'no URL' }, true],
  ])('finds that an ID token with %j is sufficient: %s', (claims, expected) => {
    expect(hasUsableClaims({ ...TOKEN, email: 'ada@example.com', ...claims })).toBe(expected);
  });

  const userInfo = {
    sub: 'ada',
    email: 'ada@example.com',
    email_verified: true,
    given_name: 'Ada',
    family_name: 'L.',
    name: 'Ada L.',
  };
  const complete = { email: 'ada@example.com', emailVerified: true, firstName: 'Ada', lastName: 'L.', displayName: 'Ada L.' };
  it.each([null, '', ' ', 7, ['x'], { x: 1 }])(
    'replaces claims of the ID token with the value %j by claims of the user info',
    (value) => {
      const unusable = { email: value, email_verified: value, given_name: value, family_name: value, name: value };
      expect(identityClaims({ ...TOKEN, ...unusable }, userInfo)).toMatchObject(complete);
    },
  );

  it('applies email_verified of the user info only to the same address', () => {
    const claimsOf = (email: string) => identityClaims({ ...TOKEN, email, email_verified: 'true' }, userInfo);
    expect(claimsOf('Ada@example.com').emailVerified).toBe(true);
    expect(claimsOf('eve@example.com')).toMatchObject({ email: 'eve@example.com', emailVerified: false });
  });

  it('does not apply the verified domain of Entra ID to an address that is not in the ID token', () => {
    const userInfo = { sub: 'ada', email: 'ada@example.com' };
    expect(identityClaims({ ...TOKEN, xms_edov: true }, userInfo).emailVerified).toBe(false);
  });
});
