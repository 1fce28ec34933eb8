import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { TextListField } from './value-fields.js';

class Request {
  @TextListField({ description: 'Colors.', required: true, maxItems: 3, item: { maxLength: 10 } }) colors!: string[];
}

describe('TextListField', () => {
  it.each([
    [['red', 'red', 'blue'], ['red', 'blue'], true],
    [['red', 'red', 'red', 'blue'], ['red', 'red', 'red', 'blue'], false],
  ])('converts %j to %j (valid: %s)', async (input, output, isValid) => {
    const request = plainToInstance(Request, { colors: input });
    expect(request.colors).toEqual(output);
    expect((await validate(request)).length === 0).toBe(isValid);
  });
});
