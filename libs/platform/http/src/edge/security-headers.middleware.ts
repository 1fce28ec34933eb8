import type { NextFunction, Request, Response } from 'express';

/** Routes are found whatever the case of their letters. */
const OF_API = /^\/v1(?:\/|$)/i;

/** Headers that keep answers from being misread, framed, embedded elsewhere or kept: API answers may hold data of people and are never cached. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  if (OF_API.test(request.path)) {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  }
  next();
}
