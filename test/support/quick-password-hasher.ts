import { hash } from '@node-rs/argon2';
import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { PasswordHasher } from '#platform/crypto';
import { ARGON2 } from '../../libs/platform/crypto/src/password-formats/argon2.js';
import type { OwnPasswordFormat } from '../../libs/platform/crypto/src/password-formats/password-format.js';
import { PASSWORD_FORMATS } from '../../libs/platform/crypto/src/password-formats/index.js';

const ALGORITHM_ARGON2ID = 2;

/** The format of argon2id hashes with the lowest cost. */
const QUICK_ARGON2: OwnPasswordFormat = {
  ...ARGON2,
  isUpToDate: (passwordHash) => passwordHash.startsWith('$argon2id$'),
  hash: (password) => hash(password, { algorithm: ALGORITHM_ARGON2ID, memoryCost: 8, timeCost: 1, parallelism: 1 }),
};

class QuickPasswordHasher extends PasswordHasher {
  constructor() {
    super(undefined, [QUICK_ARGON2, ...PASSWORD_FORMATS.slice(1)]);
  }

  override async derive(text: string, salt: Buffer): Promise<Buffer> {
    return createHash('sha256').update(salt).update(text).digest();
  }
}

/** Reduces the cost of password and code hashes in the app. `password-hasher.spec.ts` tests the production cost. */
export function hashQuickly(app: INestApplicationContext): void {
  const quick = new QuickPasswordHasher();
  const hasher = app.get(PasswordHasher);
  hasher.hash = quick.hash.bind(quick);
  hasher.verify = quick.verify.bind(quick);
  hasher.needsRehash = quick.needsRehash.bind(quick);
  hasher.derive = quick.derive.bind(quick);
}
