import { describe, expect, it } from '@jest/globals';
import { imageTypeOf } from './image-type.js';

describe('imageTypeOf', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF87a', 'image/gif'],
    ['GIF89a', 'image/gif'],
    ['RIFF\n\0\n\0WEBPVP8 ', 'image/webp'],
    ['RIFF\0\0\0\0WAVE', undefined],
    ['\x89PNG\n\x1a\n', undefined],
    [' GIF89a', undefined],
    ['<svg xmlns="http://www.w3.org/2000/svg">', undefined],
    ['<?xml version="1.0"?><svg>', undefined],
    ['<!DOCTYPE html>', undefined],
    ['\x1f\x8b\x08', undefined],
    ['BM', undefined],
    ['\0\0\x01\0', undefined],
    ['', undefined],
  ])('recognizes %j as %s', (text, type) => expect(imageTypeOf(Buffer.from(text, 'latin1'))).toBe(type));
});
