import { describe, expect, it } from '@jest/globals';
import { redirectUriProblem } from './client-rules.js';

describe('redirectUriProblem', () => {
  it.each([
    ['web', 'https://app.example.com/callback?tenant=1'],
    ['single_page', 'http://localhost:5173/callback'],
    ['native', 'http://127.0.0.1/callback'],
    ['native', 'http://[::1]:8080/'],
    ['native', 'com.example.app:/callback'],
  ] as const)('accepts for a %s client %s', (type, uri) => {
    expect(redirectUriProblem(uri, type)).toBeUndefined();
  });

  it.each([
    ['web', '/callback'],
    ['web', 'http://app.example.com/callback'],
    ['web', 'http://127.0.0.1.example.com/'],
    ['web', 'https://app.example.com/#'],
    ['web', 'https://app.example.com@evil.example/'],
    ['web', 'https://*.example.com/'],
    ['web', 'https://app.example.com\\@evil.example/'],
    ['web', 'https://app.example.com/ callback'],
    ['web', 'javascript:alert(1)'],
    ['web', 'com.example.app:/callback'],
    ['native', 'javascript:alert(1)'],
    ['native', 'myapp:/callback'],
  ] as const)('rejects for a %s client %s', (type, uri) => {
    expect(redirectUriProblem(uri, type)).toMatch(/^must /);
  });
});
