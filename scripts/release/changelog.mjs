const HEADING = '## [Unreleased]\n';

export function unreleased(changelog) {
  const [, rest] = changelog.split(HEADING);
  if (rest === undefined) throw new Error('CHANGELOG.md does not contain "## [Unreleased]".');
  return rest.split(/^## /m)[0].trim();
}

/** Returns the changelog with a version and date for the unreleased entries. */
export function released(changelog, { version, entries, date }) {
  const [before, rest] = changelog.split(HEADING);
  const older = rest.slice(rest.search(/^## /m) === -1 ? rest.length : rest.search(/^## /m));
  return `${before}${HEADING}\n## [${version}] - ${date}\n\n${entries}\n${older === '' ? '' : `\n${older}`}`;
}
