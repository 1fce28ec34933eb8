import { describe, expect, it } from '@jest/globals';
import { type Caller, CONNECTION_PARAM, type OwnAccountAccess, type RequestContext, type RequiredAccess } from '#platform/common';
import { OrganizationPending, OrganizationSuspended } from '#directory/organizations';
import {
  assertConnection,
  assertOwnAccount,
  assertPermission,
  assertSetupStep,
  assertWritable,
  bearerToken,
} from './access-decisions.js';
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

describe('assertSetupStep', () => {
  it('accepts a setup link only for its steps', () => {
    const link: Caller = { ...callerWith('*'), setupSteps: ['domain', 'sso'] };
    expect(() => assertSetupStep(callerWith(), undefined)).not.toThrow();
    expect(() => assertSetupStep(link, 'sso')).not.toThrow();
    for (const step of ['scim', undefined] as const) {
      expect(() => assertSetupStep(link, step)).toThrow(Forbidden);
      expect(() => assertSetupStep(link, step)).toThrow('only for its steps: domain, sso.');
    }
  });
});

describe('assertConnection', () => {
  const scim = { kind: 'scim', id: 'scim_1', permissions: ['*'] } as const;
  const route: RequiredAccess = { permission: 'users:write', organizationParam: CONNECTION_PARAM };
  const own = { [CONNECTION_PARAM]: 'scim_1' };

  it('accepts a connection only for its own routes, and nobody else for them', () => {
    expect(() => assertConnection(scim, route, own)).not.toThrow();
    expect(() => assertConnection(callerWith('*'), undefined, own)).not.toThrow();
    expect(() => assertConnection(callerWith('*'), { ...route, organizationParam: 'id' }, own)).not.toThrow();
    const rejected: [Caller, RequiredAccess | undefined, object, new (message: string) => Error, string][] = [
      [scim, route, { [CONNECTION_PARAM]: 'scim_2' }, Unauthenticated, 'belongs to another SCIM connection'],
      [{ ...callerWith('*'), id: 'scim_1' }, route, own, Unauthenticated, 'requires a token of the SCIM connection'],
      [scim, undefined, own, Forbidden, "can't be used for the API"],
      [scim, { ...route, organizationParam: 'id' }, own, Forbidden, "can't be used for the API"],
    ];
    for (const [caller, access, parameters, type, message] of rejected) {
      const assertion = () => assertConnection(caller, access, { ...parameters });
      expect(assertion).toThrow(type);
      expect(assertion).toThrow(message);
    }
  });
});

describe('assertOwnAccount', () => {
  const routes = [false, true].flatMap((whileEnrolling) => [false, true].map((operators) => ({ whileEnrolling, operators })));
  const session = { enrolmentOnly: false } as NonNullable<RequestContext['session']>;
  const enrolling = { ...session, enrolmentOnly: true };
  const operatorSession = { id: 'ops_1', expiresAt: new Date() };
  const outcomeOf = (
    who: Pick<RequestContext, 'session' | 'operatorSession'>,
    route: Omit<OwnAccountAccess, 'whileImpersonating'>,
  ) => {
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
