import { describe, expect, it } from '@jest/globals';
import { Unauthenticated } from './access-errors.js';
import { type AuthenticatedCaller, CredentialAuthenticators, type CredentialTransport } from './credential-authenticator.js';

/** Returns a credential type that recognizes tokens with the prefix `name`, rejects the suffix `expired`, and records the received tokens. */
function typeOf(name: string, transports: readonly CredentialTransport[]) {
  const received: string[] = [];
  return {
    received,
    transports,
    authenticate: async (token: string): Promise<AuthenticatedCaller | null> => {
      received.push(token);
      if (!token.startsWith(name)) return null;
      if (token.endsWith('expired')) throw new Unauthenticated('It has expired.');
      return { caller: { kind: 'key', id: name, permissions: [] }, actor: { type: 'api' } };
    },
  };
}

describe('CredentialAuthenticators', () => {
  const types = () => {
    const all = { key: typeOf('key', ['bearer']), session: typeOf('session', ['bearer', 'cookie']) };
    const authenticators = new CredentialAuthenticators();
    Object.values(all).forEach((each) => authenticators.register(each));
    return { ...all, authenticators };
  };

  it('tries each credential type until one recognizes the token', async () => {
    const { authenticators, key, session } = types();
    expect((await authenticators.authenticate('key_1', 'bearer'))?.caller.id).toBe('key');
    expect((await authenticators.authenticate('session_1', 'bearer'))?.caller.id).toBe('session');
    expect([key.received, session.received]).toEqual([['key_1', 'session_1'], ['session_1']]);
  });

  it('tries only credential types that accept the transport', async () => {
    const { authenticators, key } = types();
    expect(await authenticators.authenticate('key_1', 'cookie')).toBeNull();
    expect((await authenticators.authenticate('session_1', 'cookie'))?.caller.id).toBe('session');
    expect(key.received).toEqual([]);
  });

  it('stops after the first credential type that rejects the token', async () => {
    const { authenticators, session } = types();
    expect(await authenticators.authenticate('other', 'bearer')).toBeNull();
    await expect(authenticators.authenticate('key_expired', 'bearer')).rejects.toThrow(Unauthenticated);
    expect(session.received).toEqual(['other']);
    expect(await new CredentialAuthenticators().authenticate('key_1', 'bearer')).toBeNull();
  });
});
