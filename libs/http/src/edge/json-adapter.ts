import { ExpressAdapter } from '@nestjs/platform-express';
import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { etagOfAnswer } from '../etag.js';

/** Sends answers of JSON without what Express does for every kind of answer, and gives each the ETag of its resource's version. */
export class JsonAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile || body instanceof Error)
      return super.reply(response, body, statusCode);
    const etag = etagOfAnswer(body);
    if (etag !== undefined) response.setHeader('ETag', etag);
    // Express knows whether the caller has this answer already (304), and what a HEAD is to get.
    if (response.req.headers['if-none-match'] !== undefined || response.req.method === 'HEAD')
      return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.statusCode = statusCode;
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }
}
