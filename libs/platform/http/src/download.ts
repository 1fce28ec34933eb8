import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { compressResponse } from './edge/compression.js';

export const MEDIA_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv', json: 'application/json' } as const;

/** The value of `Content-Type` by format. */
const CONTENT_TYPES = { ...MEDIA_TYPES, csv: `${MEDIA_TYPES.csv}; charset=utf-8; header=present` } as const;

export interface Download {
  readonly format: keyof typeof MEDIA_TYPES;
  readonly filename: string;
}

/**
 * Streams a file. An error before the first piece causes a normal error response. After a later error, the connection is closed, so that the
 * client does not mistake an incomplete file for a complete file.
 */
export async function sendDownload(
  response: Response,
  { format, filename }: Download,
  pieces: AsyncGenerator<string>,
): Promise<void> {
  const first = await pieces.next();
  response.status(200).setHeader('Content-Type', CONTENT_TYPES[format]);
  response.setHeader('Content-Disposition', `attachment; filename="${filename}"`);
  compressResponse(response);
  try {
    await pipeline(Readable.from(startingWith(first, pieces), { highWaterMark: 1 }), response);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* startingWith<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
