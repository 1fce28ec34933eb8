import { describe, expect, it } from '@jest/globals';
import { mediaTypeOf } from './json-body.middleware.js';

describe('mediaTypeOf', () => {
  it.each([
    ['application/json', 'application/json'],
    [' Application/JSON ; charset="UTF-8" ;', 'application/json'],
    ['text/csv;charset=utf8', 'text/csv'],
    [undefined, undefined],
    ['application/json; charset=latin1', undefined],
    ['application/json; charset=utf-8; charset=utf-16', undefined],
    ['application/json; charset="utf-8', undefined],
    ['application/json; profile=a', undefined],
    ['application/json;;', undefined],
    [`application/json; charset=utf-8${' '.repeat(200)};`, undefined],
  ])('reads %j as %j', (contentType, mediaType) => {
    expect(mediaTypeOf(contentType)).toBe(mediaType);
  });

  it.each(['a', ' ', ';', '; ', '=', '"', 'charset='])('reads many %j in linear time', (part) => {
    const start = performance.now();
    for (const end of ['x', ';x']) expect(mediaTypeOf(`a${part.repeat(100_000)}${end}`)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
