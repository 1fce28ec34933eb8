import { ensureRecentAuthentication } from '../../account/reauthentication/ensure-recent-authentication';
import type { Schema } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';

export type ImportOutcome = Schema<'ImportOutcomeResponse'>;
export type ImportSummary = Schema<'ImportSummaryResponse'>;

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';

/** Returns the media type for a file name, or undefined for an unsupported extension. */
export function formatOf(fileName: string): typeof NDJSON | typeof CSV | undefined {
  if (/\.(ndjson|jsonl)$/i.test(fileName)) return NDJSON;
  return /\.csv$/i.test(fileName) ? CSV : undefined;
}

interface Import {
  readonly org: string;
  readonly file: File;
  readonly isPreview: boolean;
  readonly signal: AbortSignal;
  readonly onOutcomes: (outcomes: ImportOutcome[]) => void;
}

/**
 * Uploads a file of users and reports outcomes during the import. Returns the summary, or undefined when the import was
 * interrupted.
 * @throws ApiProblem when the import is rejected or the service is unreachable
 */
export async function importUsers({ org, file, isPreview, signal, onOutcomes }: Import): Promise<ImportSummary | undefined> {
  if (!(await ensureRecentAuthentication()))
    throw new ApiProblem(401, 'reauthentication_required', t('errors.reauthenticationNeeded'));
  // The API client reads whole responses; this response is a stream.
  const path = `/v1/organizations/${encodeURIComponent(org)}/users/import`;
  const response = await fetch(isPreview ? `${path}?preview=true` : path, {
    method: 'POST',
    headers: { 'content-type': formatOf(file.name) ?? NDJSON },
    body: file,
    signal,
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : ApiProblem.unreachable(cause);
  });
  if (!response.ok || !response.body) throw ApiProblem.from(response, await response.json().catch(() => undefined));
  let summary: ImportSummary | undefined;
  for await (const lines of linesOf(response.body)) {
    const records = lines.map((line) => JSON.parse(line) as ImportOutcome | ImportSummary);
    summary = records.find((record) => 'summary' in record) ?? summary;
    onOutcomes(records.filter((record) => 'line' in record));
  }
  return summary;
}

/** Yields the lines that each chunk of a stream completes. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    yield lines.filter((line) => line !== '');
  }
  if (rest.trim() !== '') yield [rest];
}

/**
 * Returns the number of non-empty lines without the CSV header. This estimates the number of users, because CSV cells can contain
 * line breaks.
 */
export async function countLines(file: File): Promise<number> {
  const lines = (await file.text()).split('\n').filter((line) => line.trim() !== '').length;
  return Math.max(0, formatOf(file.name) === CSV ? lines - 1 : lines);
}

const cell = (value: string): string => `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** Returns the outcomes as CSV. Escapes cells that a spreadsheet would interpret as formulas. */
export function outcomesCsv(outcomes: readonly ImportOutcome[]): string {
  const rows = outcomes.map(({ line, status, id, error }) =>
    [String(line), status, id ?? '', error?.pointer ?? '', error?.code ?? '', error?.message ?? ''].map(cell).join(','),
  );
  return ['line,status,id,field,code,message', ...rows].join('\r\n');
}
