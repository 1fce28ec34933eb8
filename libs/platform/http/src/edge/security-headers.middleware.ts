import type { NextFunction, Request, Response } from 'express';

/** Matches API paths. Routes are case-insensitive. */
const API_PATH = /^\/v1(?:\/|$)/i;

/** Sets security headers. Prevents caching of API responses, because they can contain personal data. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  if (API_PATH.test(request.path)) {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  }
  next();
}
