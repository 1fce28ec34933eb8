import { describe, expect, it } from '@jest/globals';
import { closestName, suggestion } from './closest-name.js';

const NAMES = ['firstName', 'lastName', 'email', 'user.created', 'user.deleted', 'PORT', 'SECRETS_KEY'];

describe('closestName', () => {
  it.each([
    ['emial', 'email'],
    ['first_name', 'firstName'],
    ['lastname', 'lastName'],
    ['user.create', 'user.created'],
    ['users.created', 'user.created'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['PROT', 'PORT'],
    ['PATH', undefined],
    ['organization', undefined],
    ['', undefined],
    [`email${'x'.repeat(100)}`, undefined],
  ])('returns for %j the name %j', (misspelt, expected) => expect(closestName(misspelt, NAMES)).toBe(expected));

  it('is part of a sentence', () =>
    expect([suggestion('emial', NAMES), suggestion('x', NAMES)]).toEqual([' Did you mean "email"?', '']));
});
