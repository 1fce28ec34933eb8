import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { apiDocument, errorCodes, webhookOperations } from '../api-document.mjs';
import { projectDir } from '../build-if-stale.mjs';
import { goDocument } from './document.mjs';

const inProject = (path) => join(projectDir, path);
const FOLDER = inProject('packages/go');
const STAMP = join(FOLDER, 'constants.gen.go');
const SOURCES = [
  'openapi.json',
  'package.json',
  'docs/errors',
  'scripts/api-document.mjs',
  'scripts/openapi-generator.mjs',
  'scripts/packages-go',
];
const OPTIONS = {
  packageName: 'identity',
  // The generated decoders would reject fields that a newer service adds.
  generateUnmarshalJSON: 'false',
  useOneOfDiscriminatorLookup: 'true',
};

/** The parts that the generator writes: models and operations, but no client, documentation or tests. */
const PARTS = 'models,apis,supportingFiles=utils.go,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false';

const newestMs = (path) => {
  const stats = statSync(path);
  return stats.isDirectory()
    ? Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))))
    : stats.mtimeMs;
};

/** Generates `packages/go/*.gen.go` from `openapi.json`, if they are absent or older. */
export function makeGoSources() {
  const sourcesMs = Math.max(...SOURCES.map((path) => newestMs(inProject(path))));
  if (existsSync(STAMP) && statSync(STAMP).mtimeMs > sourcesMs) return;
  for (const name of readdirSync(FOLDER)) if (name.endsWith('.gen.go')) rmSync(join(FOLDER, name));
  const openapi = apiDocument();
  generate(openapi);
  writeFileSync(STAMP, constantsOf(openapi));
  execFileSync('gofmt', ['-w', ...readdirSync(FOLDER).filter((name) => name.endsWith('.gen.go'))], { cwd: FOLDER });
}

function generate(openapi) {
  mkdirSync(inProject('.cache'), { recursive: true });
  const output = mkdtempSync(inProject('.cache/packages-go-'));
  try {
    runGenerator(openapi, output);
    for (const name of readdirSync(output))
      if (name.endsWith('.go')) renameSync(join(output, name), join(FOLDER, name.replace(/\.go$/, '.gen.go')));
  } finally {
    rmSync(output, { recursive: true });
  }
}

function runGenerator(openapi, output) {
  const document = join(output, 'openapi.json');
  writeFileSync(document, JSON.stringify(goDocument(openapi)));
  const properties = Object.entries(OPTIONS).map(([name, value]) => `${name}=${value}`);
  const templates = inProject('scripts/packages-go/templates');
  const parameters = ['generate', '-i', document, '-g', 'go', '-o', output, '-t', templates];
  parameters.push(`--additional-properties=${properties.join(',')}`, `--global-property=${PARTS}`);
  const generator = inProject('scripts/openapi-generator.mjs');
  execFileSync(process.execPath, [generator, ...parameters], { stdio: ['ignore', 'ignore', 2] });
}

const pascalCase = (code) => code.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Returns the version, the error codes and the event types as Go source. */
function constantsOf(openapi) {
  const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const codes = errorCodes().map((code) => `\tCode${pascalCase(code)} Code = ${JSON.stringify(code)}`);
  const events = webhookOperations(openapi).map(([type, { requestBody }]) => {
    const name = requestBody.content['application/json'].schema.$ref.split('/').at(-1);
    return `\tcase ${JSON.stringify(type)}:\n\t\treturn &${name}{}`;
  });
  return `// Code generated from openapi.json and docs/errors; DO NOT EDIT.

package identity

// Version is the version of this module and of the service that it was generated from.
const Version = ${JSON.stringify(version)}

// Codes of errors.
const (
${codes.join('\n')}
)

func newEvent(eventType string) Event {
	switch eventType {
${events.join('\n')}
	}
	return &UnknownEvent{}
}
`;
}
