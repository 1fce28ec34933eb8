import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, filesIn } from './digests.mjs';

/** A name, not an address: the service has no public site. */
const NAMESPACE = 'https://identity-service.internal';

/** Writes an unsigned SLSA provenance (https://slsa.dev/spec/v1.0/provenance) of all files in the folder of a release. */
export function writeProvenance({ target, copy, version, names, commit }, startedAt) {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: filesIn(target).map((name) => ({ name, digest: { sha256: digestOf(join(target, name)) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${NAMESPACE}/release/v1`,
        externalParameters: { version, artifacts: names },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: digestOf(join(copy, 'package-lock.json')) } },
        ],
      },
      runDetails: {
        builder: {
          id: `${NAMESPACE}/npm-run-release`,
          version: { node: process.version, platform: `${process.platform}-${process.arch}` },
        },
        metadata: { startedOn: startedAt.toISOString(), finishedOn: new Date().toISOString() },
      },
    },
  };
  writeFileSync(join(target, 'provenance.intoto.json'), `${JSON.stringify(statement, null, 2)}\n`);
}
