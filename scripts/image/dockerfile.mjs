import { readFileSync } from 'node:fs';

/**
 * Reads a Dockerfile, as far as this project's goes: stages with their instructions in order, arguments of the whole file filled in.
 * @throws Error for an instruction that the image check would not carry out, so that nothing is passed over in silence.
 */
export function readDockerfile(path) {
  const args = {};
  const stages = [];
  for (const { name, rest } of instructions(readFileSync(path, 'utf8'))) {
    if (name === 'ARG' && stages.length === 0) {
      const [variable, value = ''] = rest.split('=', 2);
      args[variable] = value;
    } else if (name === 'FROM') {
      const [image, stage] = filledIn(rest, args).split(/\s+AS\s+/i);
      stages.push({ image, name: stage, steps: [] });
    } else if (KNOWN.has(name)) {
      stages.at(-1).steps.push({ name, ...PARSERS[name]?.(rest), rest });
    } else throw new Error(`The check does not support ${name}. Add support for it, or remove it from the Dockerfile.`);
  }
  return stages;
}

const KNOWN = new Set(['WORKDIR', 'COPY', 'RUN', 'LABEL', 'ENV', 'EXPOSE', 'USER', 'STOPSIGNAL', 'HEALTHCHECK', 'ENTRYPOINT']);

const PARSERS = {
  COPY(rest) {
    const from = /^--from=(\S+)\s+/.exec(rest);
    const paths = rest.slice(from?.[0].length ?? 0).split(/\s+/);
    if (paths.some((path) => path.startsWith('--')))
      throw new Error(`COPY with an option that the check does not support: ${rest}`);
    return { from: from?.[1], sources: paths.slice(0, -1), target: paths.at(-1) };
  },
  RUN(rest) {
    const caches = [];
    const command = rest.replaceAll(/--mount=type=cache,target=(\S+)\s+/g, (_, target) => {
      caches.push(target);
      return '';
    });
    if (command.startsWith('--')) throw new Error(`RUN with an option that the check does not support: ${rest}`);
    return { caches, command };
  },
  ENV: (rest) => ({ variables: Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split('=', 2))) }),
  HEALTHCHECK: (rest) => ({ command: JSON.parse(/CMD\s+(\[.*\])$/.exec(rest)[1]) }),
  ENTRYPOINT: (rest) => ({ command: JSON.parse(rest) }),
};

function* instructions(text) {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ');
  for (const line of lines.split('\n')) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name) yield { name, rest };
    else if (line.trim() !== '') throw new Error(`Not a Dockerfile instruction: ${line}`);
  }
}

function filledIn(text, args) {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name) => {
    if (!(name in args)) throw new Error(`\${${name}} is not an argument of the Dockerfile.`);
    return args[name];
  });
}
