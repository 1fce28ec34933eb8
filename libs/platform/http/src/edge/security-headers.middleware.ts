import type { NextFunction, Request, Response } from 'express';
import { isApiPath } from './api-path.js';

/** Sets security headers. Prevents caching of API responses, because they can contain personal data. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  if (isApiPath(request)) {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  }
  next();
}
