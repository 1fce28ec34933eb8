// Processor time: a request for every operation and kind of caller, about 2,600, and the resources that they need.
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { SERVICE_PERMISSIONS } from '#platform/common';
import { CALLERS } from './access-matrix/callers.js';
import { generatedDocument, type Operation, operationsOf } from '../support/operations.js';
import { testServer } from '../support/test-server.js';
import { matrixPage, problemsOfCell } from './access-matrix/matrix.js';
import { ROWS } from './access-matrix/requests.js';
import type { MatrixRow } from './access-matrix/row.js';
import { Setup } from './access-matrix/setup.js';

const PAGE = new URL('../../docs/access-matrix.md', import.meta.url);
const CONCURRENT_CELLS = 12;
const operations = operationsOf(await generatedDocument());

/** Sends a request to every operation of the OpenAPI document as every kind of caller. */
describe('the access matrix', () => {
  const setup = testServer(() => Setup.build());

  const cells = (): { operation: Operation; row: MatrixRow }[] =>
    operations.flatMap((operation) => (ROWS[operation.id] ?? []).map((row) => ({ operation, row })));

  it('contains exactly the operations of the API', () => {
    expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(ROWS).toSorted());
  });

  it('names the required permission of each operation', () => {
    const isPublic = (id: string): boolean => ROWS[id]?.every((row) => row.public) ?? false;
    const areOwnAccount = (id: string): boolean => ROWS[id]?.every((row) => row.ownAccount) ?? false;
    const wrong = operations.filter(({ id, permission, isOwnAccount }) => {
      if (isOwnAccount !== areOwnAccount(id)) return true;
      if (permission === undefined) return !isPublic(id) && !isOwnAccount;
      return isPublic(id) || isOwnAccount || !(SERVICE_PERMISSIONS as readonly string[]).includes(permission);
    });
    expect(wrong).toEqual([]);
  });

  it.each(CALLERS.map((caller) => [caller.name, caller] as const))(
    'matches the responses of all operations (caller: %s)',
    async (_name, caller) => {
      const pendingCells = cells();
      const problems: string[] = [];
      const work = async (): Promise<void> => {
        for (let cell = pendingCells.shift(); cell; cell = pendingCells.shift())
          problems.push(...(await problemsOfCell(setup, cell.operation, cell.row, caller)));
      };
      await Promise.all(Array.from({ length: CONCURRENT_CELLS }, work));
      expect(problems).toEqual([]);
    },
  );

  it('equals docs/access-matrix.md (UPDATE_DOCS=1 writes the page)', async () => {
    const page = matrixPage(operations);
    if (process.env['UPDATE_DOCS']) await writeFile(PAGE, page);
    expect(await readFile(PAGE, 'utf8')).toBe(page);
  });
});
