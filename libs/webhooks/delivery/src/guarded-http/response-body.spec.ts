import { describe, expect, it } from '@jest/globals';
import { ResponseBody } from './response-body.js';

const KIB = 1_024;

function bodyOf(...chunks: (string | Buffer)[]) {
  const body = new ResponseBody();
  const wanted = chunks.map((chunk) => body.append(Buffer.from(chunk as string)));
  return { ...body.read(), wanted };
}

describe('response body', () => {
  it('joins all parts as text', () => {
    expect(bodyOf()).toEqual({ body: '', bodyTruncated: false, wanted: [] });
    expect(bodyOf('')).toMatchObject({ body: '', bodyTruncated: false });
    const e = Buffer.from('é');
    expect(bodyOf('caf', e.subarray(0, 1), e.subarray(1))).toMatchObject({ body: 'café', bodyTruncated: false });
  });

  it('keeps its first 16 KiB for any sizes of its parts', () => {
    const full = 'x'.repeat(16 * KIB);
    expect(bodyOf(full)).toMatchObject({ body: full, bodyTruncated: false });
    for (const parts of [[`${full}y`], [full, 'y'], ['x'.repeat(16 * KIB - 1), 'xy'], [full, 'y', 'zzz']])
      expect(bodyOf(...parts)).toMatchObject({ body: full, bodyTruncated: true });
  });

  it('is read up to 64 KiB, and the rest is ignored', () => {
    const quarter = 'x'.repeat(16 * KIB);
    expect(bodyOf(quarter, quarter, quarter, quarter, 'y').wanted).toEqual([true, true, true, true, false]);
  });

  it('omits a character cut at the limit and replaces invalid UTF-8', () => {
    const odd = `${'x'.repeat(16 * KIB - 1)}é`;
    expect(bodyOf(odd)).toMatchObject({ body: 'x'.repeat(16 * KIB - 1), bodyTruncated: true });
    expect(bodyOf(Buffer.from('é').subarray(0, 1))).toMatchObject({ body: '\uFFFD', bodyTruncated: false });
  });

  it('replaces NUL, which PostgreSQL rejects in text', () => {
    expect(bodyOf('a\0b\0')).toMatchObject({ body: 'a\uFFFDb\uFFFD' });
  });

  it('does not change when undici reuses the buffer of a part', () => {
    const chunk = Buffer.from('first');
    const body = new ResponseBody();
    body.append(chunk);
    chunk.fill('x');
    expect(body.read().body).toBe('first');
  });
});
