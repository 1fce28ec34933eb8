import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { describeService } from '../../apps/server/src/openapi/openapi.ts';
import { referencePages } from '../../test/contract/reference-pages.ts';
import { matrixPage } from '../../test/contract/access-matrix/matrix.ts';
import { operationsOf } from '../../test/support/operations.ts';
import { importGraph, picturesOf } from '../import-graph.mjs';

// Writes the documents that are generated from the code, without a build: node --import ./test/support/register-typescript.mjs scripts/resource/documents.mjs
const inProject = (path) => new URL(`../../${path}`, import.meta.url);
const document = await describeService();
await writeFile(inProject('openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
await writeFile(inProject('docs/access-matrix.md'), matrixPage(operationsOf(document)));
const pictures = await picturesOf(await importGraph('libs'));
for (const [path, page] of Object.entries({ ...referencePages(), ...pictures })) await writeFile(inProject(path), page);
