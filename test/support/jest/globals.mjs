/** The exports of `@jest/globals`. Modules stay loaded for later test files, so each export calls the function of the current test file. */
const current = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _this, parameters) => globalThis[Symbol.for('jest-globals')][name](...parameters),
    get: (_target, property) => globalThis[Symbol.for('jest-globals')][name][property],
  });

export const jest = current('jest');
export const describe = current('describe');
export const it = current('it');
export const test = current('test');
export const expect = current('expect');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
