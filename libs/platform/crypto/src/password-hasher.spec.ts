import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { ARGON2 } from './password-formats/argon2.js';
import type { OwnPasswordFormat, PasswordFormat } from './password-formats/index.js';
import { hashConcurrency, HashingOverloaded, isHashable, PasswordHasher } from './password-hasher.js';

const hasher = new PasswordHasher();

/** Hashes of `password` with the salt `somesalt`, by the reference implementation (`argon2` of phc-winner-argon2). */
const REFERENCE = [
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
] as const;

describe('PasswordHasher', () => {
  it('creates argon2id hashes with at least 19 MiB and two passes', async () => {
    const [first, second] = await Promise.all([hasher.hash('correct horse'), hasher.hash('correct horse')]);
    const [, memoryKib, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[\w+/]{22}\$[\w+/]{43}$/.exec(first) ?? [];
    expect(Number(memoryKib)).toBeGreaterThanOrEqual(19 * 1024);
    expect(Number(passes)).toBeGreaterThanOrEqual(2);
    expect(second).not.toBe(first);
    await expect(hasher.verify('correct horse', first)).resolves.toBe(true);
    await expect(hasher.verify('Correct horse', first)).resolves.toBe(false);
    expect(hasher.needsRehash(first)).toBe(false);
  });

  it.each(REFERENCE)('verifies the reference hash %s', async (hash) => {
    await expect(hasher.verify('password', hash)).resolves.toBe(true);
    await expect(hasher.verify('passwore', hash)).resolves.toBe(false);
  });

  it('requires a rehash of a weaker or unknown hash', () => {
    expect(hasher.needsRehash(REFERENCE[0])).toBe(false);
    expect(hasher.needsRehash(REFERENCE[1])).toBe(true);
    for (const weaker of ['$v=16$m=65536,t=2', '$m=65536,t=2', '$v=19$m=65536,t=1', '$v=19$m=19455,t=2'])
      expect(hasher.needsRehash(`$argon2id${weaker},p=1$c29tZXNhbHQ$${'A'.repeat(43)}`)).toBe(true);
    expect(hasher.needsRehash('$2b$10$abcdefghijklmnopqrstuu5s5p5p5p5p5p5p5p5p5p5p5p5p5p5pO')).toBe(true);
  });

  it.each(['', 'plain', '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$AAAA'])(
    'rejects every password for the malformed hash %j',
    async (stored) => expect(await hasher.verify('password', stored)).toBe(false),
  );

  it('accepts a password in any Unicode normalization form', async () => {
    const hash = await hasher.hash('Ａngström ﬁx é');
    await expect(hasher.verify('Angstro\u0308m fix e\u0301', hash)).resolves.toBe(true);
    await expect(hasher.verify('Angstrom fix e', hash)).resolves.toBe(false);
  });

  it('compares all 1,024 bytes of the longest password', async () => {
    const longest = 'é'.repeat(512);
    const hash = await hasher.hash(longest);
    await expect(hasher.verify(`${'é'.repeat(511)}e`, hash)).resolves.toBe(false);
    await expect(hasher.verify(`${longest}x`, hash)).resolves.toBe(false);
    expect([isHashable(longest), isHashable(`${longest}x`), isHashable('x'.repeat(1_025))]).toEqual([true, false, false]);
    expect(isHashable('x'.repeat(1_024))).toBe(true);
    // The password is short enough only with normalization.
    expect(isHashable('u\u0308\u0304'.repeat(342))).toBe(false);
    // Normalization converts each character to 18 characters.
    expect(isHashable('\ufdfa'.repeat(1_000))).toBe(false);
    await expect(hasher.hash(`${longest}x`)).rejects.toThrow(RangeError);
  });

  it('throws an error for a password longer than 1,024 bytes', async () => {
    await expect(hasher.hash('x'.repeat(1_025))).rejects.toThrow('A password can have at most 1024 bytes.');
    await expect(hasher.derive('x'.repeat(1_025), randomBytes(16))).rejects.toThrow('A text can have at most 1024 bytes.');
  });

  it('derives equal bytes from all Unicode forms of a text', async () => {
    const salt = randomBytes(16);
    const derived = await hasher.derive('ﬁx é', salt);
    expect(derived).toHaveLength(32);
    expect(await hasher.derive('fix e\u0301', salt)).toEqual(derived);
    expect(await hasher.derive('fix f', salt)).not.toEqual(derived);
    expect(await hasher.derive('ﬁx é', randomBytes(16))).not.toEqual(derived);
  });

  it('verifies hashes in several formats', async () => {
    const plain: PasswordFormat = {
      read: (hash) =>
        hash.startsWith('plain:')
          ? { isTooCostly: hash.length > 20, verify: async (password) => hash === `plain:${password.toString()}` }
          : undefined,
    };
    // The lengths of the passwords that the format compares with a hash.
    const lengths: number[] = [];
    const counting: PasswordFormat = {
      read: () => ({ isTooCostly: false, verify: async (password) => lengths.push(password.length) < 0 }),
    };
    const counted = new PasswordHasher({ concurrency: 1, queued: 10, maxWaitMs: 5_000 }, [ARGON2, counting]);
    for (const password of ['x'.repeat(1_025), 'ﬁ'.repeat(1_025), '\ufdfa'.repeat(1_000), '\u212b', 'abcd'])
      expect(await counted.verify(password, 'any')).toBe(false);
    // The first three passwords are too long. Normalization shortens the fourth password from three bytes to two. The hasher compares both
    // forms.
    expect(lengths).toEqual([2, 3, 4]);
    await counted.verify(`x${'\u212b'.repeat(341)}`, 'any');
    expect(lengths.splice(3)).toEqual([683, 1_024]);
    const both = new PasswordHasher({ concurrency: 1, queued: 10, maxWaitMs: 5_000 }, [ARGON2, plain]);
    expect(await both.verify('secret', 'plain:secret')).toBe(true);
    expect(await both.verify('secret', 'plain:other')).toBe(false);
    expect(await both.verify('secret'.repeat(5), `plain:${'secret'.repeat(5)}`)).toBe(false);
    expect(both.needsRehash('plain:secret')).toBe(true);
    expect(await both.hash('secret')).toMatch(/^\$argon2id\$/);
  });
});

/** Returns a format in which each hash waits for a call of `finishOne`. */
function steppedFormat() {
  const steps: (() => void)[] = [];
  const state = { running: 0, mostConcurrent: 0 };
  const format: OwnPasswordFormat = {
    ...ARGON2,
    hash: async (password) => {
      state.mostConcurrent = Math.max(state.mostConcurrent, ++state.running);
      await new Promise<void>((resolve) => steps.push(resolve));
      state.running--;
      if (password.toString() === 'fails') throw new Error('failed');
      return password.toString();
    },
  };
  const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));
  const finishOne = async () => {
    steps.shift()!();
    await eventLoopTurn();
  };
  return { format, state, steps, finishOne, eventLoopTurn };
}

describe('PasswordHasher queue', () => {
  it('limits the number of concurrent hashes', async () => {
    const { format, state, steps, finishOne, eventLoopTurn } = steppedFormat();
    const limited = new PasswordHasher({ concurrency: 2, queued: 100, maxWaitMs: 60_000 }, [format]);
    const done: string[] = [];
    const hashes = ['a', 'fails', 'b', 'c', 'd', 'fails', 'e'].map((password) =>
      limited.hash(password).then(
        () => done.push(password),
        () => done.push(password),
      ),
    );
    await eventLoopTurn();
    while (steps.length > 0) await finishOne();
    await Promise.all(hashes);
    expect(done).toEqual(['a', 'fails', 'b', 'c', 'd', 'fails', 'e']);
    expect(state).toEqual({ running: 0, mostConcurrent: 2 });
  });

  it('uses all cores, together with other processes, and leaves one thread free', async () => {
    const { format, state, finishOne, steps, eventLoopTurn } = steppedFormat();
    const unlimited = new PasswordHasher(undefined, [format]);
    const hashes = Array.from({ length: 20 }, (_, index) => unlimited.hash(String(index)));
    await eventLoopTurn();
    while (steps.length > 0) await finishOne();
    await Promise.all(hashes);
    expect(state.mostConcurrent).toBe(hashConcurrency(availableParallelism(), 4));
    expect([1, 2, 4, 8].map((cores) => hashConcurrency(cores, 4))).toEqual([1, 2, 3, 3]);
    expect([1, 4, 16].map((threads) => hashConcurrency(8, threads))).toEqual([1, 3, 8]);
    expect([1, 2, 4].map((processes) => hashConcurrency(4, 8, processes))).toEqual([4, 2, 1]);
  });

  it('throws the errors of the hash function', async () => {
    const { format, finishOne, eventLoopTurn } = steppedFormat();
    const failing = new PasswordHasher({ concurrency: 1, queued: 1, maxWaitMs: 60_000 }, [format]).hash('fails');
    const outcome = expect(failing).rejects.toThrow(/^failed$/);
    await eventLoopTurn();
    await finishOne();
    await outcome;
  });

  it('rejects a password with a Retry-After time', () => {
    expect(new HashingOverloaded()).toMatchObject({ code: 'unavailable', kind: 'unavailable', retryAfterSeconds: 2 });
    expect(new HashingOverloaded().message).toMatch(/Try again in a few seconds/);
  });

  it('rejects immediately if the queue is full', async () => {
    const { format, finishOne, eventLoopTurn } = steppedFormat();
    const limited = new PasswordHasher({ concurrency: 1, queued: 1, maxWaitMs: 60_000 }, [format]);
    const served = ['a', 'b'].map((password) => limited.hash(password));
    await expect(limited.hash('c')).rejects.toThrow(HashingOverloaded);
    await eventLoopTurn();
    await finishOne();
    await finishOne();
    expect(await Promise.all(served)).toEqual(['a', 'b']);
  });

  it('rejects a password that waits too long', async () => {
    const { format, steps, finishOne, eventLoopTurn } = steppedFormat();
    const limited = new PasswordHasher({ concurrency: 1, queued: 1, maxWaitMs: 50 }, [format]);
    const first = limited.hash('a');
    const second = limited.hash('b');
    await expect(limited.hash('c')).rejects.toThrow(HashingOverloaded);
    await expect(second).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 });
    await finishOne();
    expect(await first).toBe('a');
    const later = limited.hash('d');
    await eventLoopTurn();
    expect(steps).toHaveLength(1);
    await finishOne();
    expect(await later).toBe('d');
  });
});
