import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'oxfmt';
import { MIGRATIONS_FOLDER, nextTimestamp, withMigration, withoutMigration } from '../migration-files.mjs';
import { CHANGELOG_LINE, EDITS, FILES } from './edits.mjs';
import { render } from './names.mjs';

const TEMPLATES = join(import.meta.dirname, 'templates');
const MIGRATION_LIST = `${MIGRATIONS_FOLDER}/index.ts`;

/**
 * Writes the files of a new resource and edits existing files. Returns the paths.
 * @throws Error and writes nothing if the name or the prefix is taken, or if an edit does not fit its file
 */
export async function addResource(projectDir, names) {
  const project = new Changes(projectDir);
  if (usedPrefixes(projectDir).includes(names.prefix))
    throw new Error(`The id prefix "${names.prefix}_" is already used. Choose another --prefix.`);
  for (const [template, path] of Object.entries(FILES)) project.create(render(path, names), templateOf(template, names));
  for (const edit of editsFor(names)) project.change(edit.file, (text) => inserted(text, edit));
  project.change('CHANGELOG.md', (text) => withLine(text, render(CHANGELOG_LINE, names)));

  const timestamp = String(nextTimestamp(projectDir));
  const file = `${timestamp}-${names.plural}`;
  const migration = templateOf('migration.ts', names).replaceAll('0'.repeat(13), timestamp);
  project.create(`${MIGRATIONS_FOLDER}/${file}.ts`, migration);
  project.change(MIGRATION_LIST, (text) => withMigration(text, classNameOf(migration), file));
  return project.write();
}

/**
 * Removes what `addResource` wrote, and all files in the folder of the library. Returns the paths.
 * @throws Error and changes nothing if the lines that `addResource` added to existing files were edited
 */
export async function removeResource(projectDir, names) {
  const lib = render('libs/directory/sample-things', names);
  if (!existsSync(join(projectDir, lib))) throw new Error(`${lib} does not exist.`);
  const project = new Changes(projectDir);
  for (const edit of editsFor(names)) project.change(edit.file, (text) => withoutInserted(text, edit));
  project.change('CHANGELOG.md', (text) => withoutLine(text, render(CHANGELOG_LINE, names)));
  for (const path of Object.values(FILES)) project.remove(render(path, names));
  for (const path of readdirSync(join(projectDir, lib), { recursive: true, withFileTypes: true }))
    if (path.isFile()) project.remove(join(path.parentPath, path.name).slice(projectDir.length + 1));

  const migrations = readdirSync(join(projectDir, MIGRATIONS_FOLDER)).filter((file) => file.slice(13) === `-${names.plural}.ts`);
  if (migrations.length !== 1)
    throw new Error(`${MIGRATIONS_FOLDER} must have exactly one file *-${names.plural}.ts, but has ${migrations.length}.`);
  const path = `${MIGRATIONS_FOLDER}/${migrations[0]}`;
  const className = classNameOf(readFileSync(join(projectDir, path), 'utf8'));
  project.change(MIGRATION_LIST, (text) => withoutMigration(text, className));
  project.remove(path);
  const paths = await project.write();
  rmSync(join(projectDir, lib), { recursive: true });
  return paths;
}

function usedPrefixes(projectDir) {
  const libs = join(projectDir, 'libs');
  const definitions = readdirSync(libs, { recursive: true }).filter((file) => file.endsWith('.definitions.ts'));
  const sources = ['platform/common/src/resource-kinds.ts', ...definitions].map((file) => readFileSync(join(libs, file), 'utf8'));
  return [...sources.join('\n').matchAll(/^  \w+: '([a-z]+)',$|defineIdPrefix\('\w+', '([a-z]+)'\)/gm)].map(
    ([, own, defined]) => own ?? defined,
  );
}

const templateOf = (name, names) => render(readFileSync(join(TEMPLATES, `${name}.txt`), 'utf8'), names);
const classNameOf = (migration) => /export class (\w+)/.exec(migration)[1];

const editsFor = (names) =>
  EDITS.map((edit) =>
    Object.fromEntries(Object.entries(edit).map(([key, text]) => [key, key === 'text' ? render(text, names) : text])),
  );

/** Changes of several files. `write` is called after all changes have succeeded. */
class Changes {
  #texts = new Map();

  constructor(projectDir) {
    this.projectDir = projectDir;
  }

  create(path, text) {
    if (existsSync(join(this.projectDir, path))) throw new Error(`${path} already exists.`);
    this.#texts.set(path, text);
  }

  change(path, edit) {
    this.#texts.set(path, edit(this.#texts.get(path) ?? readFileSync(join(this.projectDir, path), 'utf8')));
  }

  remove(path) {
    this.#texts.set(path, undefined);
  }

  async write() {
    for (const [path, text] of this.#texts) {
      const absolute = join(this.projectDir, path);
      if (text === undefined) {
        rmSync(absolute, { force: true });
        continue;
      }
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, path.endsWith('.md') ? text : await formatted(absolute, text));
    }
    return [...this.#texts.keys()].sort();
  }
}

const FORMAT = JSON.parse(readFileSync(join(import.meta.dirname, '../../.oxfmtrc.json'), 'utf8'));

const formatted = async (path, text) => (await format(path, text, FORMAT)).code;

function inserted(text, { file, before, after, text: added }) {
  const anchor = before ?? after;
  const [start, end] = rangeOf(text, anchor) ?? [];
  if (start === undefined) throw new Error(`${file} does not contain "${anchor.trim()}"; see scripts/resource/edits.mjs.`);
  const at = before === undefined ? end : start;
  return text.slice(0, at) + added + text.slice(at);
}

function withoutInserted(text, { file, text: added }) {
  const [start, end] = rangeOf(text, added) ?? [];
  if (start === undefined)
    throw new Error(
      `${file} no longer contains the added lines, so nothing was removed:\n\n${added}\nRestore these lines, or remove the resource with "git revert" of the commit that added it.`,
    );
  return text.slice(0, start) + text.slice(end);
}

/** Returns the start and end of a piece of a text, even if the formatter changed line breaks or removed quotes in the piece. */
function rangeOf(text, piece) {
  const exact = text.indexOf(piece);
  if (exact >= 0) return [exact, exact + piece.length];
  const tokens = piece.match(/\w+|[^\w\s]/g).map((token) => (token === "'" ? "'?" : token.replace(/[^\w]/, String.raw`\$&`)));
  // Excludes longer names: "badges" must not match in "access-badges".
  const match = new RegExp(`(?<![\\w-])[ \\t]*${tokens.join(String.raw`\s*,?\s*`)}[ \\t]*\\n?`).exec(text);
  return match && [match.index, match.index + match[0].length];
}

const UNRELEASED = '## [Unreleased]\n\n';
const ADDED = '### Added\n\n';

function withLine(changelog, line) {
  if (!changelog.includes(UNRELEASED)) throw new Error('CHANGELOG.md does not contain "## [Unreleased]".');
  if (changelog.includes(UNRELEASED + ADDED)) return changelog.replace(UNRELEASED + ADDED, `$&${line}`);
  return changelog.replace(UNRELEASED, `$&${ADDED}${line}\n`);
}

/** Removes a line, unless the line was edited. */
function withoutLine(changelog, line) {
  return changelog.replace(line, '').replace(`${UNRELEASED}${ADDED}\n`, UNRELEASED);
}
