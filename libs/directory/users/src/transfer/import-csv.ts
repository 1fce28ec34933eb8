import { pipeline } from 'node:stream/promises';
import type { FieldProblem, FieldProblemCode } from '#platform/common';
import { restored } from '#platform/http';
import { CsvError, parse } from 'csv-parse';
import { booleanOf, itemsOf, jsonOf } from './csv-cells.js';
import { MalformedCsv, MAX_LINE_BYTES } from './import-errors.js';
import { type ImportLine, readLine } from './import-lines.js';

interface Row {
  record: string[];
  info: { records: number; empty_lines: number };
}

const CONVERSIONS: Readonly<Record<string, (cell: string, pointer: string) => unknown>> = {
  roles: itemsOf,
  metadata: jsonOf,
  emailVerified: booleanOf,
  phoneVerified: booleanOf,
  identities: jsonOf,
  memberships: jsonOf,
  passkeys: jsonOf,
  sendInvitation: booleanOf,
};

/**
 * Reads a CSV file (RFC 4180, UTF-8, with or without a byte order mark) with field names in the header. Empty cells count as absent.
 * @throws MalformedCsv (400) for unknown columns, malformed quotes and a malformed encoding
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>, columns: readonly string[]): AsyncGenerator<ImportLine> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
  });
  const feeding = pipeline(decoded(chunks), parser);
  // The loop over the rows throws the errors of the input.
  feeding.catch(() => undefined);
  let header: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<Row>) {
      const line = info.records + info.empty_lines;
      if (header) yield { line, ...fieldsOf(header, record) };
      else header = checkedHeader(record, columns);
    }
  } catch (error) {
    throw error instanceof CsvError ? new MalformedCsv(`The rest of the CSV can't be read: ${error.message}`) : error;
  }
  if (!header) throw new MalformedCsv('The CSV has no header row.');
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new MalformedCsv('The CSV is not in UTF-8. In a spreadsheet, save it as "CSV UTF-8".');
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}

function checkedHeader(record: readonly string[], columns: readonly string[]): string[] {
  const header = record.map((name) => name.trim());
  const problems = header.flatMap((name, index): FieldProblem[] => {
    const shown = name.slice(0, 80);
    const problem = (code: FieldProblemCode, message: string): FieldProblem[] => [
      { pointer: `/${shown}`, in: 'body', code, message },
    ];
    if (!columns.includes(name))
      return problem('unknown_field', `The column "${shown}" is unknown. Known columns: ${columns.join(', ')}.`);
    return header.indexOf(name) < index ? problem('duplicate_item', `The column "${shown}" appears twice.`) : [];
  });
  if (!header.includes('email'))
    problems.push({ pointer: '/email', in: 'body', code: 'required', message: 'The column "email" is required.' });
  if (problems.length > 0) throw new MalformedCsv(problems.map(({ message }) => message).join(' '), problems.slice(0, 50));
  return header;
}

function fieldsOf(header: readonly string[], record: readonly string[]): Omit<ImportLine, 'line'> {
  if (record.length !== header.length) {
    const message = `The row has ${record.length} cells, but the header has ${header.length}.`;
    return { error: { code: 'wrong_column_count', message } };
  }
  return readLine(() => {
    const fields = header.flatMap((name, index) => {
      const cell = restored(record[index] ?? '');
      return cell === '' ? [] : [[name, CONVERSIONS[name]?.(cell, `/${name}`) ?? cell] as const];
    });
    return Object.fromEntries(fields);
  });
}
