import 'reflect-metadata';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { OmitType } from '@nestjs/swagger';
import type { DomainError } from '#platform/common';
import { MetadataField, ObjectField, ObjectListField, TextField } from './fields/index.js';
import { RequestValidationPipe } from './validation.pipe.js';

let itemCount = 0;

class Item {
  constructor() {
    itemCount++;
  }
  @TextField({ description: 'A name.', maxLength: 5, required: true }) name!: string;
}

class CreateRequest {
  @ObjectListField(() => Item, { description: 'Items.', minItems: 1, maxItems: 2 }) items?: Item[];
  @ObjectField(() => Item, { description: 'An item.' }) item?: Item;
  @MetadataField({ description: 'Metadata.' }) metadata?: object;
  @TextField({ description: 'A name.', maxLength: 5 }) name?: string;
}

class UpdateRequest extends OmitType(CreateRequest, ['name'] as const) {}

describe('RequestValidationPipe', () => {
  const pipe = new RequestValidationPipe();
  beforeEach(() => {
    itemCount = 0;
  });

  async function problemsOf(metatype: typeof CreateRequest | typeof UpdateRequest, body: unknown): Promise<string[]> {
    const error = await pipe.transform(body, { type: 'body', metatype }).then(
      () => undefined,
      (thrown: DomainError) => thrown,
    );
    return error?.errors?.map(({ code, pointer }) => `${code} ${pointer}`) ?? [];
  }

  it.each([CreateRequest, UpdateRequest])('converts no item of a list with too many items (%p)', async (type) => {
    expect(await problemsOf(type, { items: [{}, {}, {}] })).toEqual(['too_many /items']);
    expect(itemCount).toBe(0);
    expect(await problemsOf(type, { items: [{}, { name: 'a' }] })).toEqual(['required /items/0/name']);
    expect(itemCount).toBe(2);
    expect(await problemsOf(type, { items: { a: {} } })).toEqual(['wrong_type /items']);
    expect(await problemsOf(type, { item: [{}, {}, {}] })).toEqual(['wrong_type /item']);
    expect(itemCount).toBeLessThan(5);
  });

  it('returns the problems of unknown and of known fields, at most 50', async () => {
    expect(await problemsOf(UpdateRequest, { name: 'a', item: { names: [], toString: 1 } })).toEqual([
      'unknown_field /name',
      'unknown_field /item/names',
      'unknown_field /item/toString',
      'required /item/name',
    ]);
    const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field-${index}`, {}]));
    expect(await problemsOf(CreateRequest, unknown)).toHaveLength(50);
  });

  it('accepts names of members of Object in metadata', async () => {
    expect(await problemsOf(CreateRequest, { metadata: { toString: 1, a: [null, { valueOf: 2 }] } })).toEqual([]);
    expect(await problemsOf(CreateRequest, { metadata: { a: [{ constructor: 2 }] } })).toEqual([
      'unknown_field /metadata/a/0/constructor',
    ]);
  });
});
