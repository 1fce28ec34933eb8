import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPythonPackageIfStale, projectDir } from './build-if-stale.mjs';

// Builds the Python package as published: a wheel, which pip can install, and a source distribution.
const target = join(projectDir, 'dist/packages');
buildPythonPackageIfStale();
for (const name of readdirSync(target).filter((name) => name.startsWith('identity_service-'))) console.log(join(target, name));
