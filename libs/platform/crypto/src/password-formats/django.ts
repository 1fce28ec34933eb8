import { createHash } from 'node:crypto';
import { ARGON2 } from './argon2.js';
import { BCRYPT } from './bcrypt.js';
import type { PasswordFormat } from './password-format.js';

/** The formats of Django that put a name before the hash of another format. The other formats have a plain salt (PBKDF2, scrypt). */
export const DJANGO: PasswordFormat = {
  read(hash) {
    if (hash.startsWith('argon2$')) return ARGON2.read(hash.slice('argon2'.length));
    if (hash.startsWith('bcrypt$$')) return BCRYPT.read(hash.slice('bcrypt$'.length));
    if (!hash.startsWith('bcrypt_sha256$$')) return undefined;
    const read = BCRYPT.read(hash.slice('bcrypt_sha256$'.length));
    if (!read) return undefined;
    const digest = (password: Buffer): Buffer => Buffer.from(createHash('sha256').update(password).digest('hex'));
    return { isTooCostly: read.isTooCostly, verify: (password) => read.verify(digest(password)) };
  },
};
