import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { PasswordHasher } from '#crypto';
import type { TestApp } from './app.js';

const digest = (text: string, salt = Buffer.alloc(0)) => createHash('sha256').update(salt).update(text).digest();
const hashOf = (password: string): string => `quick:${digest(password).toString('hex')}`;

/** Has the app hash passwords and codes at once: for long runs that are about what happens around the hashes. */
export function hashQuickly(app: TestApp): void {
  const hasher = app.app.get(PasswordHasher);
  jest.spyOn(hasher, 'hash').mockImplementation(async (password) => hashOf(password));
  jest.spyOn(hasher, 'verify').mockImplementation(async (password, hash) => hash === hashOf(password));
  jest.spyOn(hasher, 'needsRehash').mockReturnValue(false);
  jest.spyOn(hasher, 'derive').mockImplementation(async (text, salt) => digest(text, Buffer.from(salt)));
}
