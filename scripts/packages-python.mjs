import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPythonPackageIfStale, projectDir } from './build-if-stale.mjs';

// Makes the Python package as it would be published: a wheel, which pip installs like any other, and a source distribution.
const target = join(projectDir, 'dist/packages');
buildPythonPackageIfStale();
for (const name of readdirSync(target).filter((name) => name.startsWith('identity_service-'))) console.log(join(target, name));
