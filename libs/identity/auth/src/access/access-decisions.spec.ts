import { describe, expect, it } from '@jest/globals';
import type { Caller, OwnAccountAccess, RequestContext } from '#platform/common';
import { OrganizationPending, OrganizationSuspended } from '#directory/organizations';
import { bearerToken, assertOwnAccount, assertPermission, assertWritable } from './access-decisions.js';
import {
  CallerSuspended,
  Forbidden,
  MfaEnrolmentRequired,
  MfaRequired,
  NetworkNotAllowed,
  Unauthenticated,
} from './access-errors.js';

const callerWith = (...permissions: string[]): Caller => ({ kind: 'key', id: 'key_1', permissions });

describe('bearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['Bearer   abc', 'abc'],
    ['Bearer !~', '!~'],
    [`Bearer ${'a'.repeat(4_096)}`, 'a'.repeat(4_096)],
  ])('returns the token of the header %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer a b',
    'xBearer abc',
    'Bearerabc',
    'Bearer abc\n',
    'Bearer \u00e9',
    `Bearer ${'a'.repeat(4_097)}`,
  ])('rejects the header %j', (header) => {
    expect(() => bearerToken(header)).toThrow(Unauthenticated);
  });

  it('distinguishes between a missing and an invalid header', () => {
    expect(() => bearerToken(undefined)).toThrow(/Send an API key/);
    expect(() => bearerToken('Basic abc')).toThrow(/must have the form/);
  });
});

describe('assertPermission', () => {
  it.each([['users:read'], ['users:*'], ['*']])('accepts a caller with the permission %s', (granted) => {
    expect(() => assertPermission(callerWith(granted), 'users:read')).not.toThrow();
  });

  it.each([[[]], [['users:write']], [['user:*']], [['roles:*', 'users:delete']]])(
    'rejects a caller with only the permissions %j',
    (granted) => {
      const assertion = () => assertPermission(callerWith(...granted), 'users:read');
      expect(assertion).toThrow(Forbidden);
      expect(assertion).toThrow(/"users:read"/);
    },
  );
});

describe('assertOwnAccount', () => {
  const routes = [false, true].flatMap((whileEnrolling) => [false, true].map((operators) => ({ whileEnrolling, operators })));
  const session = { enrolmentOnly: false } as NonNullable<RequestContext['session']>;
  const enrolling = { ...session, enrolmentOnly: true };
  const operatorSession = { id: 'ops_1', expiresAt: new Date() };
  const outcomeOf = (who: Pick<RequestContext, 'session' | 'operatorSession'>, route: OwnAccountAccess) => {
    try {
      assertOwnAccount(who, route);
      return 'passes';
    } catch (error) {
      return (error as Forbidden | MfaEnrolmentRequired).code;
    }
  };

  it.each(routes)('accepts a session but no API key if the route has %j', (route) => {
    expect(outcomeOf({ session }, route)).toBe('passes');
    expect(outcomeOf({}, route)).toBe('forbidden');
    expect(() => assertOwnAccount({}, route)).toThrow(/Use a session token instead of an API key/);
  });

  it.each(routes)('accepts operators and enrolment-only sessions as the route allows: %j', (route) => {
    expect(outcomeOf({ operatorSession }, route)).toBe(route.operators ? 'passes' : 'forbidden');
    expect(outcomeOf({ session: enrolling }, route)).toBe(route.whileEnrolling ? 'passes' : 'mfa_enrolment_required');
  });
});

describe('access error', () => {
  it('has a stable code and kind', () => {
    const refusals = [
      new Unauthenticated('a'),
      new Forbidden('b'),
      new MfaRequired(),
      new MfaEnrolmentRequired(),
      new CallerSuspended(),
      new NetworkNotAllowed('This key takes no requests', { ipAddress: '10.0.0.1', isProxyAddress: true }, 'Use another.'),
    ];
    expect(refusals.map(({ code, kind }) => [code, kind])).toEqual([
      ['unauthenticated', 'unauthenticated'],
      ['forbidden', 'forbidden'],
      ['mfa_required', 'forbidden'],
      ['mfa_enrolment_required', 'forbidden'],
      ['organization_suspended', 'forbidden'],
      ['network_not_allowed', 'forbidden'],
    ]);
    expect(refusals.map(({ message }) => message)).toEqual([
      'a',
      'b',
      expect.stringMatching(/Sign in again with a method/),
      expect.stringMatching(/Add a factor that the organization allows/),
      expect.stringMatching(/^The organization of this API key or session, or one of its ancestors, is suspended\. .*activate/),
      'This key takes no requests from the address of this request. Use another.',
    ]);
  });
});

describe('assertWritable', () => {
  const acme = { slug: 'acme' };

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('rejects %s if the organization is suspended or pending', (method) => {
    expect(() => assertWritable(method, { ...acme, status: 'suspended' })).toThrow(OrganizationSuspended);
    expect(() => assertWritable(method, { ...acme, status: 'pending' })).toThrow(OrganizationPending);
    expect(() => assertWritable(method, { ...acme, status: 'active' })).not.toThrow();
  });

  it('names the pending organization in the error', () => {
    expect(() => assertWritable('POST', { ...acme, status: 'pending' })).toThrow(/"acme" is pending approval/);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('accepts %s in every organization', (method) => {
    expect(() => assertWritable(method, { ...acme, status: 'suspended' })).not.toThrow();
    expect(() => assertWritable(method, { ...acme, status: 'pending' })).not.toThrow();
  });
});
