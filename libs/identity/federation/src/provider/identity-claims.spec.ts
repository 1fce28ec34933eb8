import { describe, expect, it } from '@jest/globals';
import type { IDToken } from 'openid-client';
import { identityClaims } from './identity-claims.js';

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
});
