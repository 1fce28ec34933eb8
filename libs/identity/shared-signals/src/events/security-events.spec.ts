import { describe, expect, it } from '@jest/globals';
import type { EventPayload } from '#platform/events';
import { initiatingEntity, securityEventOf } from './security-events.js';

const USER = 'usr_1';
const eventOf = (type: string, data: object, actor: EventPayload['actor'] = { type: 'user', id: USER }) =>
  securityEventOf({ type, data, actor } as EventPayload);

describe('securityEventOf', () => {
  it.each([
    ['user.mfa_enabled', { method: 'passkey', authenticator: 'roaming' }, 'fido2-roaming', 'create'],
    ['user.mfa_enabled', { method: 'passkey', authenticator: 'platform' }, 'fido2-platform', 'create'],
    ['user.mfa_enabled', { method: 'passkey' }, 'fido2-platform', 'create'],
    ['user.mfa_enabled', { method: 'sms' }, 'phone-sms', 'create'],
    ['user.mfa_disabled', { method: 'email' }, 'email', 'delete'],
    ['user.password_changed', { method: 'sign_up' }, 'password', 'create'],
    ['user.password_changed', { method: 'reset' }, 'password', 'update'],
  ])('maps %s %j to a change of the credential %s (%s)', (type, data, credentialType, changeType) => {
    const members = { credential_type: credentialType, change_type: changeType, reason_admin: { en: expect.any(String) } };
    expect(eventOf(type, { userId: USER, ...data })).toMatchObject({ userId: USER, members });
  });

  it.each([
    ['a new suspension of a suspended user', 'user.suspended', { id: USER, email: 'a@b.example', previousStatus: 'suspended' }],
    ['the activation of a new user', 'user.activated', { id: USER, email: 'a@b.example', previousStatus: 'pending' }],
    ['another name', 'user.updated', { id: USER, email: 'a@b.example', changes: { firstName: { from: 'A', to: 'B' } } }],
    [
      'a restored user who is still suspended',
      'user.updated',
      { id: USER, changes: { status: { from: 'deleted', to: 'suspended' } } },
    ],
    ['redacted data', 'user.updated', {}],
    ['redacted data of a session', 'security.session_revoked', {}],
    ['an event of another kind', 'role.created', { id: 'role_1' }],
  ])('maps %s to nothing', (_title, type, data) => {
    expect(eventOf(type, data)).toBeUndefined();
  });

  it('names the previous email address as the subject of a change', () => {
    const data = { id: USER, email: 'new@b.example', changes: { email: { from: 'old@b.example', to: 'new@b.example' } } };
    expect(eventOf('user.updated', data)).toMatchObject({
      email: 'old@b.example',
      isAboutEmail: true,
      members: { 'new-value': 'new@b.example' },
    });
  });
});

describe('initiatingEntity', () => {
  it.each<[EventPayload['actor'], string]>([
    [undefined, 'system'],
    [{ type: 'system' }, 'system'],
    [{ type: 'anonymous' }, 'user'],
    [{ type: 'user', id: USER }, 'user'],
    [{ type: 'user', id: 'usr_2' }, 'admin'],
    [{ type: 'user', id: USER, impersonator: { id: 'usr_2' } }, 'admin'],
    [{ type: 'api', id: 'key_1' }, 'admin'],
    [{ type: 'scim', id: 'scim_1' }, 'admin'],
  ])('says of %j: %s', (actor, entity) => {
    expect(initiatingEntity(actor, USER)).toBe(entity);
  });
});
