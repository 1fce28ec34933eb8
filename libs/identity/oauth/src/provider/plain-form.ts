import { parse } from 'node:querystring';
import type { Request } from 'express';

const FORM = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;

/**
 * Returns the fields of a form that has arrived whole and has each of the known fields at most once. Leaves the body to the next reader.
 * Returns undefined for every other request.
 */
export function plainFormOf(request: Request, known: ReadonlySet<string>): Readonly<Record<string, string>> | undefined {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (request.method !== 'POST' || !FORM.test(type) || Number(length) !== request.readableLength) return undefined;
  const body = request.read() as Buffer | null;
  if (!body) return undefined;
  request.unshift(body);
  const fields = Object.entries(parse(body.toString()));
  const isPlain = fields.every(([name, value]) => known.has(name) && typeof value === 'string' && value !== '');
  return isPlain ? (Object.fromEntries(fields) as Record<string, string>) : undefined;
}
