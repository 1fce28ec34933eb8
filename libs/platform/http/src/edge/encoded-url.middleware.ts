import { DomainError } from '#platform/common';
import type { NextFunction, Request, Response } from 'express';

/** The URL can be read in several ways. */
class MalformedUrl extends DomainError {
  readonly code = 'malformed_request';
  readonly kind = 'malformed';
  constructor() {
    super('The URL is not correctly encoded. Percent-encode its text in UTF-8, and encode a percent sign as %25.');
  }
}

/**
 * Rejects a URL with encoded bytes that are not UTF-8, or with a percent sign that encodes nothing. Express would replace such bytes in the
 * query, so that the service would search for another text. Node rejects bytes that are not encoded.
 */
export function encodedUrl({ originalUrl }: Request, _response: Response, next: NextFunction): void {
  next(isDecodable(originalUrl) ? undefined : new MalformedUrl());
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
