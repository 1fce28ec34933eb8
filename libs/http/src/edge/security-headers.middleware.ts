import type { NextFunction, Request, Response } from 'express';

/** Headers that keep answers from being misread, framed, embedded elsewhere or kept: API answers may hold data of people and are never cached. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  if (request.path.startsWith('/v1/') || request.path === '/v1') {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  }
  next();
}
