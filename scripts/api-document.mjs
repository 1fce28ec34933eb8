import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';

/** The operation that a webhook receives for each type of event. */
export const webhookOperations = ({ webhooks, components }) =>
  Object.entries(webhooks).map(([type, { $ref }]) => [type, components.pathItems[$ref.split('/').at(-1)].post]);

/** The codes of all errors. Each code has a page of its name. */
export const errorCodes = () =>
  readdirSync(join(projectDir, 'docs/errors'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort();
