import { randomBytes } from 'node:crypto';
import { isFromOwnPage, readForm } from '#http';
import type { Request, Response } from 'express';
import { noticePage } from './page-layout.js';

/** An answer of a page. */
export interface Shown {
  readonly status: number;
  readonly html: string;
}

/** What a form was filled in with. */
export interface FormFields {
  readonly token: string;
  readonly password: string;
  readonly repeated: string;
}

/** Shows the page that a link of a mail leads to; looking at it uses nothing up, since mail scanners look, too. */
export async function showPage(
  request: Request,
  response: Response,
  page: (token: string, nonce: string) => Promise<Shown>,
): Promise<void> {
  const nonce = newNonce();
  send(response, nonce, await page(textOf(request.query['token']), nonce));
}

/** Takes the form of a page, unless another site sent it, and answers with another page. */
export async function takeForm(
  request: Request,
  response: Response,
  baseUrl: string,
  taken: (fields: FormFields, nonce: string) => Promise<Shown>,
): Promise<void> {
  const nonce = newNonce();
  if (!isFromOwnPage(request, baseUrl)) {
    const html = noticePage('This form came from elsewhere', 'Open the link in the mail again and use its form.', nonce);
    return send(response, nonce, { status: 403, html });
  }
  const fields = await readForm(request, response);
  const [token, password, repeated] = [textOf(fields['token']), textOf(fields['password']), textOf(fields['repeated'])];
  send(response, nonce, await taken({ token, password, repeated }, nonce));
}

/** Why a password that was typed twice can't be judged yet, or nothing. */
export function typingProblem({ password, repeated }: FormFields): string | undefined {
  if (password === '') return 'Enter a password.';
  return password === repeated ? undefined : 'The two passwords are not the same.';
}

const newNonce = (): string => randomBytes(16).toString('base64');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The page runs no script, loads nothing but a logo, can't be framed, and its address, which holds the token, is told to nobody. */
function send(response: Response, nonce: string, { status, html }: Shown): void {
  response.set({
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.status(status).type('html').send(html);
}
