import { createCipheriv, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { constantTimeEqual } from '../tokens.js';
import { base64OfHex, bytesOf, MAX_MEMORY_BYTES, type PasswordFormat, type ReadHash } from './password-format.js';

const derive = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Maximum of N × r × p. A hash with this cost takes half a second. The memory of 128 × N × r bytes is at most `MAX_MEMORY_BYTES`. */
const MAX_WORK = MAX_MEMORY_BYTES / 128;

/** `$scrypt$ln=16,r=8,p=1$salt$hash` (PHC). */
const PHC_FORM =
  /^\$scrypt\$ln=(?<logN>[1-9]\d?),r=(?<r>[1-9]\d{0,2}),p=(?<p>[1-9]\d{0,2})\$(?<salt>[A-Za-z0-9+/.]{2,172}={0,2})\$(?<hash>[A-Za-z0-9+/.]{22,86}={0,2})$/;

/** `scrypt$16384$salt$8$1$hash` (Django). The salt is plain text. */
const DJANGO_FORM =
  /^scrypt\$(?<n>[1-9]\d{0,9})\$(?<salt>[^$]{1,128})\$(?<r>[1-9]\d{0,2})\$(?<p>[1-9]\d{0,2})\$(?<hash>[A-Za-z0-9+/]{22,86}={0,2})$/;

/** `scrypt:32768:8:1$salt$hash` (Werkzeug). The salt is plain text, the hash is in hexadecimal. */
const WERKZEUG_FORM =
  /^scrypt:(?<n>[1-9]\d{0,9}):(?<r>[1-9]\d{0,2}):(?<p>[1-9]\d{0,2})\$(?<salt>[^$]{1,128})\$(?<hash>(?:[0-9a-f]{2}){16,64})$/;

/** `$firebase-scrypt$ln=14,r=8,p=1$salt$salt separator$signer key$hash`. All users of a Firebase project have the same parameters. */
const FIREBASE_FORM =
  /^\$firebase-scrypt\$ln=(?<logN>[1-9]\d?),r=(?<r>[1-9]\d{0,2}),p=(?<p>[1-9]\d{0,2})\$(?<salt>[A-Za-z0-9+/]{2,172}={0,2})\$(?<separator>[A-Za-z0-9+/]{2,22}={0,2})\$(?<key>[A-Za-z0-9+/]{22,86}={0,2})\$(?<hash>[A-Za-z0-9+/]{22,86}={0,2})$/;

type Groups = Record<'r' | 'p' | 'salt' | 'hash', string>;

/** scrypt (RFC 7914), for imported users. */
export const SCRYPT: PasswordFormat = {
  read(hash) {
    const phc = PHC_FORM.exec(hash)?.groups as (Groups & { logN: string }) | undefined;
    if (phc) return readHash(2 ** Number(phc.logN), phc, bytesOf(phc.salt));
    const django = DJANGO_FORM.exec(hash)?.groups as (Groups & { n: string }) | undefined;
    if (django) return readHash(Number(django.n), django, Buffer.from(django.salt));
    const werkzeug = WERKZEUG_FORM.exec(hash)?.groups as (Groups & { n: string }) | undefined;
    if (!werkzeug) return undefined;
    return readHash(Number(werkzeug.n), { ...werkzeug, hash: base64OfHex(werkzeug.hash) }, Buffer.from(werkzeug.salt));
  },
};

/** Firebase's variant of scrypt. The hash is the signer key of the project, encrypted with the derived key. */
export const FIREBASE_SCRYPT: PasswordFormat = {
  read(hash) {
    const groups = FIREBASE_FORM.exec(hash)?.groups as (Groups & Record<'logN' | 'separator' | 'key', string>) | undefined;
    if (!groups) return undefined;
    const [salt, separator, key] = [groups.salt, groups.separator, groups.key].map(bytesOf);
    const expected = bytesOf(groups.hash);
    if (!salt || !separator || !key || expected?.length !== key.length) return undefined;
    return readHash(2 ** Number(groups.logN), groups, Buffer.concat([salt, separator]), key);
  },
};

const AES_KEY_BYTES = 32;

/** Returns undefined for a cost that scrypt does not allow. With `key`, the hash is `key` encrypted with the derived key. */
function readHash(n: number, groups: Groups, salt: Buffer | undefined, key?: Buffer): ReadHash | undefined {
  const [r, p] = [Number(groups.r), Number(groups.p)];
  const expected = bytesOf(groups.hash);
  // N is a power of two and less than 2^(128 r / 8) (RFC 7914, section 6).
  const isAllowed = Number.isInteger(Math.log2(n)) && n > 1 && Math.log2(n) < 16 * r;
  if (!salt || !expected || !isAllowed) return undefined;
  const options = { N: n, r, p, maxmem: 2 * MAX_MEMORY_BYTES };
  return {
    isTooCostly: n * r * p > MAX_WORK,
    verify: async (password) => {
      const derived = await derive(password, salt, key ? AES_KEY_BYTES : expected.length, options);
      return constantTimeEqual(key ? encrypted(key, derived) : derived, expected);
    },
  };
}

/** Encrypts with AES-256 in counter mode. The counter can start at zero, because each key encrypts only one text. */
const encrypted = (text: Buffer, key: Buffer): Buffer => createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(text);
