import { parse } from 'node:querystring';
import type { Request } from 'express';

const FORM = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;

/**
 * Returns the fields of a form that has arrived whole and has each of the known fields at most once. Leaves the body to the next reader.
 * Returns undefined for every other request.
 */
export function plainFormOf(request: Request, known: ReadonlySet<string>): Readonly<Record<string, string>> | undefined {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  const { readableLength } = request;
  // Reading an empty body would end it.
  const isComplete = readableLength > 0 && Number(length) === readableLength;
  if (request.method !== 'POST' || !FORM.test(type) || !isComplete) return undefined;
  const body = request.read() as Buffer;
  request.unshift(body);
  const fields = Object.entries(parse(body.toString()));
  const isPlain = fields.every(([name, value]) => known.has(name) && typeof value === 'string' && value !== '');
  return isPlain ? (Object.fromEntries(fields) as Record<string, string>) : undefined;
}
