import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';

/** Returns the OpenAPI operation of the webhook of each event type. */
export const webhookOperations = ({ webhooks, components }) =>
  Object.entries(webhooks).map(([type, { $ref }]) => [type, components.pathItems[$ref.split('/').at(-1)].post]);

/** Returns the codes of all errors. Each code has a documentation page of the same name. */
export const errorCodes = () =>
  readdirSync(join(projectDir, 'docs/errors'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort();
