import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ConnectionError, type Schema } from '@identity-service/client';
import { type Command, Option } from 'commander';
import { Context } from '../context.js';
import { CommandError, EXIT } from '../failures.js';
import { type Counts, NO_COUNTS, type Part, partsOf, type Progress, ProgressFile, sumOf } from '../import-parts.js';
import { interruption } from '../interruption.js';
import { note, print, printJson, visible } from '../output.js';
import { subcommand } from '../options.js';

type Outcome = Schema<'ImportOutcomeResponse'>;
type Summary = Schema<'ImportSummaryResponse'>;

const ATTEMPTS = 5;
const WAIT_MS = 2_000;
/** Until the first results arrive. */
const TIMEOUT_MS = 120_000;
/** Until all results of a part have arrived. */
const PART_TIMEOUT_MS = 600_000;

interface ImportOptions {
  readonly preview?: boolean;
  readonly restart?: boolean;
}

export function addImport(group: Command): void {
  subcommand(
    group,
    'import <file>',
    'import users from a file of any length with one JSON object per line; prints the failed lines',
    new Option('--preview', 'show what the import would do, and write nothing'),
    new Option('--restart', 'begin at the first line again, also if an earlier import was interrupted'),
  ).action((file: string, options: ImportOptions, command: Command) => importFile(new Context(command), file, options));
}

async function importFile(context: Context, file: string, { preview = false, restart = false }: ImportOptions): Promise<void> {
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  const progressFile = preview ? undefined : new ProgressFile(file, `${context.baseUrl} ${context.organization}`);
  if (restart) progressFile?.remove();
  let progress: Progress = progressFile?.read() ?? { lines: 0, counts: NO_COUNTS };
  const signal = interruption();
  note(progress.lines > 0 ? `Continuing after line ${progress.lines}.` : `Reading ${file}.`);
  for await (const part of partsOf(file, progress.lines)) {
    const counts = await importPart(context, part, preview);
    progress = { lines: part.firstLine + part.lines, counts: sumOf(progress.counts, counts) };
    progressFile?.write(progress);
    note(`${progress.lines} lines: ${textOf(progress.counts)}`);
    if (signal.aborted)
      throw new CommandError(`Stopped after line ${progress.lines}. Run the same command to continue.`, EXIT.refused);
  }
  progressFile?.remove();
  const { lines, counts } = progress;
  if (context.isJson) printJson({ lines, ...counts, ...(preview ? { preview } : {}) });
  else print(`${preview ? 'Preview of' : 'Imported'} ${lines} lines: ${textOf(counts)}.`);
  if (counts.failed > 0) throw new CommandError(`${counts.failed} lines ${preview ? 'would fail' : 'failed'}.`, EXIT.refused);
}

const textOf = (counts: Counts): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');

/** Imports a part, again if the connection is lost: lines that were imported are then unchanged. */
async function importPart(context: Context, part: Part, preview: boolean): Promise<Counts> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendPart(context, part, preview);
    } catch (error) {
      const isLost = error instanceof ConnectionError || error instanceof Incomplete;
      if (!isLost || attempt === ATTEMPTS) throw error;
      note(`The connection was lost. Trying again.`);
      await wait(WAIT_MS * attempt);
    }
  }
}

/** The response ended before its summary. */
class Incomplete extends Error {}

/** Sends a part. Prints its failed lines when all results have arrived, so that no line is printed twice. */
async function sendPart(context: Context, part: Part, preview: boolean): Promise<Counts> {
  const input = { org: context.organization, body: part.body, ...(preview ? { preview } : {}) };
  const signal = AbortSignal.timeout(PART_TIMEOUT_MS);
  const response = await context.client.importUsers.stream(input, { timeoutMs: TIMEOUT_MS, retries: 0, signal });
  const text = await response.text().catch((cause: unknown) => {
    throw new Incomplete('The connection was lost before all results arrived.', { cause });
  });
  const records = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Outcome | Summary);
  const summary = records.find((record) => 'summary' in record);
  if (!summary) throw new Incomplete('The response of the service is incomplete.');
  for (const record of records) if ('line' in record && record.error) showFailure(context, part.firstLine, record);
  if (!summary.complete) {
    const reason = visible(summary.error?.message ?? '');
    throw new CommandError(
      `The import stopped in the lines after ${part.firstLine}. ${reason} Run the same command to continue.`,
      EXIT.refused,
    );
  }
  const { lines: _lines, ...counts } = summary.summary;
  return counts;
}

function showFailure(context: Context, before: number, { line, error }: Outcome): void {
  const { code = '', message = '', pointer } = error ?? {};
  if (context.isJson) note(JSON.stringify({ line: before + line, error }));
  else print(`${before + line}: ${code}${pointer === undefined ? '' : ` ${visible(pointer)}`}: ${visible(message)}`);
}
