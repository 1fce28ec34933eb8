import { describe, expect, it } from '@jest/globals';
import { isUnavailable } from './unavailable.js';

const failure = (code: string): Error => Object.assign(new Error('failed'), { code });

describe('an error of the database', () => {
  it.each([
    ['the disk is full', failure('53100')],
    ['memory is short', failure('53200')],
    ['there are too many connections', failure('53300')],
    ['the disk fails', failure('58030')],
    ['it is no primary any more', failure('25006')],
    ['it is stopping', failure('57P01')],
    ['nothing listens', failure('ECONNREFUSED')],
    ['its machine is gone', failure('EHOSTUNREACH')],
    ['its name is not known for the moment', failure('EAI_AGAIN')],
    ['TypeORM wraps it', Object.assign(new Error('failed'), { driverError: failure('53100') })],
    ['the connection ended', new Error('Connection terminated unexpectedly')],
  ])('means that the database is unavailable if %s', (_name, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a value is there already', failure('23505')],
    ['a statement is wrong', failure('42601')],
    ['it is a mistake of ours', new TypeError('x is not a function')],
    ['it is nothing at all', new Error()],
  ])('does not mean that the database is unavailable if %s', (_name, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
