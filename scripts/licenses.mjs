import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Lists the packages of an installation (with `--all`, also those of development and tests) and their licenses from the lock file.
// Exits with 1 if a license is not in the list of accepted licenses.

/** Licenses that require only a notice. MPL and CC-BY also apply to changes of the package itself, which we don't make. */
const ALLOWED = new Set(
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC-BY-4.0 CC0-1.0 ISC MIT MIT-0 MPL-2.0 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
);

/** The licenses of older packages, which the lock file does not contain. */
const CHECKED_MANUALLY = { busboy: 'MIT', streamsearch: 'MIT' };

const includesDev = process.argv.includes('--all');
const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'));
const installed = Object.entries(packages)
  .filter(
    ([path, { link, dev, devOptional }]) => path.includes('node_modules/') && !link && (includesDev || !(dev || devOptional)),
  )
  .map(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, license: license ?? CHECKED_MANUALLY[name] ?? 'none' };
  });
const lines = new Set(installed.map(({ name, version, license }) => `${name} ${version}: ${license}`));
for (const line of [...lines].toSorted()) console.log(line);

const rejected = installed.filter(({ license }) => !isAllowed(license));
for (const { name, version, license } of rejected)
  console.error(`${name} ${version} has the license "${license}", which is not allowed in ${import.meta.filename}.`);
if (rejected.length > 0) process.exitCode = 1;

/** Returns whether a license is accepted. With AND, all parts must be accepted; with OR, at least one. */
function isAllowed(license) {
  const parts = license.replaceAll(/[()]/g, '').split(' AND ');
  return parts.every((part) => part.split(' OR ').some((alternative) => ALLOWED.has(alternative.trim())));
}
