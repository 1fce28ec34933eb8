import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Build } from '#platform/observability';
import { projectDir } from './project-dir.js';

/** `apps/server/rolldown.config.mjs` replaces it by the commit. It does not exist if the sources run without a build. */
declare const BUILT_FROM_COMMIT: string | undefined;

/** The version and the commit of this process. */
export const currentBuild = new Build(
  (JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string }).version,
  typeof BUILT_FROM_COMMIT === 'string' ? BUILT_FROM_COMMIT : 'unknown',
);
