import { describe, expect, it } from '@jest/globals';
import { isUnavailable } from './unavailable.js';

const failure = (code: string): Error => Object.assign(new Error('failed'), { code });

describe('isUnavailable', () => {
  it.each([
    ['the disk is full', failure('53100')],
    ['PostgreSQL is out of memory', failure('53200')],
    ['there are too many connections', failure('53300')],
    ['the disk fails', failure('58030')],
    ['the server is no longer the primary', failure('25006')],
    ['the server is stopping', failure('57P01')],
    ['the connection is refused', failure('ECONNREFUSED')],
    ['the socket does not exist', Object.assign(failure('ENOENT'), { syscall: 'connect' })],
    ['the host is unreachable', failure('EHOSTUNREACH')],
    ['the host name temporarily cannot be resolved', failure('EAI_AGAIN')],
    ['TypeORM wraps the error', Object.assign(new Error('failed'), { driverError: failure('53100') })],
    ['Citus loses the connection to a worker', new Error('failure on connection marked as essential: 10.0.0.2:5432')],
    ['the connection ended', new Error('Connection terminated unexpectedly')],
  ])('returns true if %s', (_name, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a unique constraint is violated', failure('23505')],
    ['a statement has a syntax error', failure('42601')],
    ['a file does not exist', Object.assign(failure('ENOENT'), { syscall: 'open' })],
    ['the error is a TypeError', new TypeError('x is not a function')],
    ['the error has no code and no message', new Error()],
  ])('returns false if %s', (_name, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
