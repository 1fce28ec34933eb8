import { describe, expect, it } from '@jest/globals';
import { PasswordHasher } from '../password-hasher.js';
import { MAX_PASSWORD_HASH_LENGTH, readPasswordHash } from './index.js';

const hasher = new PasswordHasher();

const PHRASE = 'correct horse battery staple – ü';
const SALT = '8PHy8/T19vf4+fr7/P3+/w';

/** Hashes from other implementations. */
const FOREIGN: readonly [from: string, password: string, hash: string][] = [
  // crypt_blowfish, wrapper.c
  ['bcrypt', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['bcrypt of OpenBSD', 'U*U', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['bcrypt of PHP', 'U*U*U', '$2y$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
  [
    'bcrypt of more than 72 bytes',
    '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored',
    '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui',
  ],
  // phc-winner-argon2, test.c
  ['argon2i', 'password', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA'],
  ['argon2i 1.0', 'password', '$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ'],
  // Created with @node-rs/argon2, because the reference implementation has no example of argon2d.
  ['argon2d', 'x', '$argon2d$v=19$m=64,t=2,p=1$/DouCD3crMAb1mCq43Q4Lg$iPe/k6H74Qkzb8XhRGgA4AM0/7EpzGY/7wEiZEKSKiQ'],
  // hashlib of Python
  ['scrypt', PHRASE, `$scrypt$ln=14,r=8,p=1$${SALT}$Lq8v+sZyQIToJ8CDgGPfl/SyVMV/eMjyTOzd0l7Z/no`],
  ['scrypt with padding', PHRASE, `$scrypt$ln=15,r=8,p=2$${SALT}==$ez4bxPOhXXehMeZpGd3RdL4h2EYaPzS8kcBiPKHKUj0=`],
  [
    'scrypt of Django',
    PHRASE,
    'scrypt$16384$seasalt2Xy9$8$1$4WrVKaMelCLVGWBrIyIX4mvvcEVZ3OYE9ZAtfrj0MZqVygRF//rkWHFZcElTyYszSaDtCqQIcerDZj/wAqC86A==',
  ],
  [
    'PBKDF2 of Keycloak',
    PHRASE,
    `$pbkdf2-sha256$i=27500,l=64$${SALT}$iJN3T5JTPvs0tA8ryroBExaIB2aaAv7MgHX8IcMqBgF0+1FS6Cqq3R+7QCGmKGqRIJg5yCqCkgDjhKYuKAI78A`,
  ],
  [
    'PBKDF2 with SHA-512',
    PHRASE,
    `$pbkdf2-sha512$i=30000$${SALT}$FDJhhveMQiQFeCelW+hLNDhg27hLcyB3uvWPSxRSZMLxO9nSiwV9kUjf4KnSukyqonczaGeyH30/PXXLbM6Wcg`,
  ],
  ['PBKDF2 with SHA-1', PHRASE, `$pbkdf2-sha1$i=20000$${SALT}$JfmoA7c+FnrMShfnbf7aICPEN3I`],
  ['PBKDF2 of Passlib', PHRASE, '$pbkdf2-sha256$29000$8PHy8/T19vf4.fr7/P3./w$FmNAsTykvpUmqxga.0D9P.dMRrReP24dI1A29V3yMBI'],
  ['PBKDF2 of Passlib with SHA-1', PHRASE, '$pbkdf2$20000$8PHy8/T19vf4.fr7/P3./w$JfmoA7c.FnrMShfnbf7aICPEN3I'],
  ['PBKDF2 of Django', PHRASE, 'pbkdf2_sha256$260000$seasalt2Xy9$8d65RbvRwkVu1/oa02gGuhz8lhXweNWy0Newi/Shwo4='],
  ['PBKDF2 of Django with SHA-1', PHRASE, 'pbkdf2_sha1$1000$seasalt2Xy9$7qikgnyIt/97aQ1niMQ6Et4unh8='],
  // Django 5.2, Werkzeug 3.1 and Passlib 1.7
  [
    'argon2 of Django',
    PHRASE,
    'argon2$argon2id$v=19$m=102400,t=2,p=8$TUpLQ1BQbmdDT05DNUIwNjc2Snk2bw$Wc/NcAMebrwiEpIFG8cOYBjh4QFnvO2IMog06ayzboU',
  ],
  ['bcrypt of Django', PHRASE, 'bcrypt$$2b$05$100Klum4Z5NvXltxlC3uK.AJXCbIIClUv9xwBWf7pNBkq6DUWx86K'],
  ['bcrypt of Django over SHA-256', PHRASE, 'bcrypt_sha256$$2b$05$5k.kTC/0AB6DMGd.4ZAgSubFrMawOLE2vgfiKBhi8sCXhM5lfTQnK'],
  [
    'scrypt of Werkzeug',
    PHRASE,
    'scrypt:1024:8:1$OgUPukOLNJfWAptj$ee38b6cb9caf4e8dcf2d2555d1caacce1e4363598dc607c3dcdb5dbf2a1204fa105a0bab2df53dd674b50f001b4612289a957b064233d69d377b4cb45e17e094',
  ],
  [
    'PBKDF2 of Werkzeug',
    PHRASE,
    'pbkdf2:sha256:1000$C7LuEZTmmKILGsrX$cf615064fdf5e0306d483c9fe6aa6e8c3f56c1cdbd85ab213066cf15ba339826',
  ],
  ['SSHA', PHRASE, '{SSHA}IQ+gmrDJi2rMeZU6zVkQs/QAA3oXAgBg'],
  ['SSHA with SHA-256', PHRASE, '{SSHA256}y9/EkB1ptqWaKWrHog7vNXh7YjQQQeepaimFC4uiha6r9X5PiTGm9A=='],
  [
    'SSHA with SHA-512',
    PHRASE,
    '{SSHA512}xplQLkzN+PzzVVDEe/5kNvSPIRrQJpyYBqwT7W7S1s1WCeXfpXd0tg6y68qWzwCP0i0g4MVrR4g0oKC5jggRHD8HoHQOISTE',
  ],
  ['SHA-256 with a salt before the password', PHRASE, `$sha256$prefix$${SALT}$sWZUssTciQZXggZVe+IZJFu+yslpoC79d0ZfdPR7wyA=`],
  ['phpass of WordPress', PHRASE, '$P$66OaW2dVXqwrmWH0.WQvDcRz4v/BiM0'],
  ['phpass of phpBB', PHRASE, '$H$6Gn47Hzs3FETE4BbllHIyciRN5r.Cu1'],
  // The example of github.com/firebase/scrypt
  [
    'scrypt of Firebase',
    'user1password',
    '$firebase-scrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw==$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  ],
];

const DIGEST = 'A'.repeat(43);
/** A digest that is not canonical base64, because its last bit is set. 32 bytes use only 256 of the 258 bits of 43 characters. */
const NON_CANONICAL_DIGEST = `${DIGEST.slice(1)}B`;

describe('imported password hash', () => {
  it.each(FOREIGN)('matches the correct password: %s', async (_, password, hash) => {
    expect(readPasswordHash(hash)?.isTooCostly).toBe(false);
    expect(await hasher.verify(password, hash)).toBe(true);
    expect(await hasher.verify(`!${password}`, hash)).toBe(false);
    expect(await hasher.verify('', hash)).toBe(false);
    expect(hasher.needsRehash(hash)).toBe(true);
  });

  it.each(FOREIGN)('is invalid with additional characters: %s', (_, __, hash) => {
    for (const text of [` ${hash}`, `x${hash}`, `${hash} `, `${hash}\n`, `${hash}$x`])
      expect(readPasswordHash(text)).toBeUndefined();
  });

  it('fits in the maximum length of the import', () => {
    for (const [, , hash] of FOREIGN) expect(hash.length).toBeLessThanOrEqual(MAX_PASSWORD_HASH_LENGTH);
  });

  it.each([
    ['nothing', ''],
    ['a password', 'correct horse battery staple'],
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    [
      'SHA-512 crypt',
      '$6$rounds=5000$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjlO/O817G3uBnIFNjnQJuesI68OTLiBFdcbYEdFCoEOfaS35inz1',
    ],
    ['bcrypt $2x$, a faulty variant', '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['bcrypt with a non-canonical salt', '$2b$05$CCCCCCCCCCCCCCCCCCCCC/E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['bcrypt without the last character', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe'],
    ['argon2 with a non-canonical salt', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHR$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA'],
    ['argon2 with a non-canonical digest', `$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$${NON_CANONICAL_DIGEST}`],
    ['PBKDF2 with a non-canonical salt', `$pbkdf2-sha256$i=1000$c29tZXNhbHR$${DIGEST}`],
    ['PBKDF2 with a non-canonical digest', `$pbkdf2-sha256$i=1000$c29tZXNhbHQ$${NON_CANONICAL_DIGEST}`],
    ['PBKDF2 with a non-canonical digest and a length', `$pbkdf2-sha256$i=1000,l=32$c29tZXNhbHQ$${NON_CANONICAL_DIGEST}`],
    ['scrypt with a non-canonical salt', `$scrypt$ln=14,r=8,p=1$c29tZXNhbHR$${DIGEST}`],
    ['scrypt with a non-canonical digest', `$scrypt$ln=14,r=8,p=1$c29tZXNhbHQ$${NON_CANONICAL_DIGEST}`],
    ['scrypt of Firebase with a non-canonical salt', `$firebase-scrypt$ln=14,r=8,p=1$c29tZXNhbHR$Bw$${DIGEST}$${DIGEST}`],
    ['scrypt of Firebase with a non-canonical separator', `$firebase-scrypt$ln=14,r=8,p=1$c29tZXNhbHQ$Bx$${DIGEST}$${DIGEST}`],
    [
      'scrypt of Firebase with a non-canonical key',
      `$firebase-scrypt$ln=14,r=8,p=1$c29tZXNhbHQ$Bw$${NON_CANONICAL_DIGEST}$${DIGEST}`,
    ],
    [
      'scrypt of Firebase with a non-canonical digest',
      `$firebase-scrypt$ln=14,r=8,p=1$c29tZXNhbHQ$Bw$${DIGEST}$${NON_CANONICAL_DIGEST}`,
    ],
    [
      'scrypt of Firebase with a digest and a key of different lengths',
      `$firebase-scrypt$ln=14,r=8,p=1$c29tZXNhbHQ$Bw$${DIGEST}A$${DIGEST}`,
    ],
    ['scrypt with N of 1', `scrypt$1$salt$8$1$${DIGEST}=`],
    ['SSHA without a salt', `{SSHA}${'A'.repeat(27)}=`],
    ['salted SHA-512 with a digest of 32 bytes', `$sha512$prefix$c29tZXNhbHQ$${DIGEST}`],
    ['phpass with a non-canonical digest', `$P$B${'A'.repeat(29)}2`],
    ['argon2 with more lanes than memory', `$argon2id$v=19$m=31,t=2,p=4$c29tZXNhbHQ$${DIGEST}`],
    ['argon2 without a pass', `$argon2id$v=19$m=64,t=0,p=1$c29tZXNhbHQ$${DIGEST}`],
    ['a digest of 3 bytes, which many passwords match', '$pbkdf2-sha256$i=1000$c29tZXNhbHQ$AAAA'],
    ['a digest of another length than declared', `$pbkdf2-sha256$i=1000,l=64$c29tZXNhbHQ$${DIGEST}`],
    ['PBKDF2 with MD5', `$pbkdf2-md5$i=1000$c29tZXNhbHQ$${DIGEST}`],
    ['PBKDF2 without a round', `$pbkdf2-sha256$i=0$c29tZXNhbHQ$${DIGEST}`],
    ['scrypt with an N that is not a power of two', `scrypt$16385$salt$8$1$${DIGEST}=`],
    ['scrypt with too large an N for r', `$scrypt$ln=16,r=1,p=1$c29tZXNhbHQ$${DIGEST}`],
    ['a hash after a space', ` $scrypt$ln=14,r=8,p=1$c29tZXNhbHQ$${DIGEST}`],
    ['a hash before a line break', `$scrypt$ln=14,r=8,p=1$c29tZXNhbHQ$${DIGEST}\n`],
    ['a salt of 2 million characters', `$pbkdf2-sha256$i=1$${'A'.repeat(2_000_000)}$${DIGEST}`],
  ])('is invalid: %s', async (_, hash) => {
    expect(readPasswordHash(hash)).toBeUndefined();
    expect(await hasher.verify('', hash)).toBe(false);
  });

  it.each([
    ['argon2 with much memory', `$argon2id$v=19$m=131073,t=1,p=1$c29tZXNhbHQ$${DIGEST}`],
    ['argon2 with many passes', `$argon2id$v=19$m=131072,t=5,p=1$c29tZXNhbHQ$${DIGEST}`],
    ['argon2 with 99,999 passes', `$argon2id$v=19$m=8,t=99999,p=1$c29tZXNhbHQ$${DIGEST}`],
    ['bcrypt', '$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['bcrypt with the maximum cost', '$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['scrypt with much memory', `$scrypt$ln=18,r=8,p=1$c29tZXNhbHQ$${DIGEST}`],
    ['scrypt with much work', `$scrypt$ln=17,r=8,p=2$c29tZXNhbHQ$${DIGEST}`],
    ['scrypt with high values of all parameters', `$scrypt$ln=99,r=999,p=999$c29tZXNhbHQ$${DIGEST}`],
    ['scrypt of Django', `scrypt$1048576$salt$8$1$${DIGEST}=`],
    ['PBKDF2', `$pbkdf2-sha512$i=2000001$c29tZXNhbHQ$${DIGEST}`],
    ['PBKDF2 over many blocks', `$pbkdf2-sha1$i=1000000$c29tZXNhbHQ$${'A'.repeat(84)}`],
    ['bcrypt of Django over SHA-256', 'bcrypt_sha256$$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['scrypt of Werkzeug', `scrypt:1048576:8:1$salt$${'a'.repeat(64)}`],
    ['PBKDF2 of Werkzeug', `pbkdf2:sha256:2000001$salt$${'a'.repeat(64)}`],
    ['phpass', `$P$F${'A'.repeat(29)}.`],
    ['PBKDF2 of Django', `pbkdf2_sha256$999999999$salt$${DIGEST}=`],
  ])('is not computed if the cost is too high: %s', async (_, hash) => {
    expect(readPasswordHash(hash)?.isTooCostly).toBe(true);
    const before = process.cpuUsage();
    expect(await hasher.verify('password', hash)).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(50);
  });

  it.each([
    `$argon2id$v=19$m=131072,t=4,p=16$c29tZXNhbHQ$${DIGEST}`,
    '$2b$14$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    `$scrypt$ln=17,r=8,p=1$c29tZXNhbHQ$${DIGEST}`,
    `$pbkdf2-sha512$i=2000000$c29tZXNhbHQ$${DIGEST}`,
  ])('is computed up to the maximum cost: %s', (hash) => expect(readPasswordHash(hash)?.isTooCostly).toBe(false));

  it('matches a password without Unicode normalization', async () => {
    // Python hashed U+212B without normalization. Normalization converts U+212B to U+00C5.
    const hash = '$pbkdf2-sha256$i=1000$c29tZXNhbHQ$5DiiJsZwSRMY1BKkZMBtVtql0yCX5h2sIz6BlNOli+Y';
    expect(await hasher.verify('\u212bngstrom', hash)).toBe(true);
    expect(await hasher.verify('\u00c5ngstrom', hash)).toBe(false);
  });
});
