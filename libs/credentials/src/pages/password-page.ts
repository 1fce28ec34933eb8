import type { RequestContext } from '#common';
import { HashingOverloaded } from '#crypto';
import type { Request, Response } from 'express';
import { PasswordRefused } from '../passwords/password-errors.js';
import { type Shown, showPage, takeForm, typingProblem } from './page-answers.js';
import { type FormRefusal, noticePage } from './page-layout.js';

/** What differs between the pages behind links of mails on which a person sets a password. */
export interface PasswordPage<Offer> {
  /** What the link is for; uses nothing up. */
  look(ctx: RequestContext, token: string): Promise<Offer>;
  form(offer: Offer, token: string, nonce: string, refusal?: FormRefusal): string;
  /** Sets the password, and says what came of it. */
  set(ctx: RequestContext, chosen: { token: string; password: string }): Promise<{ heading: string; text: string }>;
  /** The page about a link that does not work; undefined when the error says something else. */
  deadLink(error: unknown, nonce: string): Shown | undefined;
}

/** Shows the form. */
export function showPasswordPage<Offer>(
  page: PasswordPage<Offer>,
  ctx: RequestContext,
  request: Request,
  response: Response,
): Promise<void> {
  return showPage(request, response, (token, nonce) => formOf(page, ctx, token, nonce));
}

/** Takes the form, and shows it again with the reason when the password can't be used. */
export function takePasswordForm<Offer>(
  page: PasswordPage<Offer>,
  given: RequestContext,
  request: Request,
  response: Response,
  baseUrl: string,
): Promise<void> {
  const ctx: RequestContext = { ...given, source: 'dashboard' };
  return takeForm(request, response, baseUrl, async (fields, nonce) => {
    const { token, password } = fields;
    const again = (status: number, message: string, problems: readonly string[] = []): Promise<Shown> =>
      formOf(page, ctx, token, nonce, { status, message, problems });
    const message = typingProblem(fields);
    if (message !== undefined) return again(422, message);
    try {
      const { heading, text } = await page.set(ctx, { token, password });
      return { status: 200, html: noticePage(heading, text, nonce) };
    } catch (error) {
      const dead = page.deadLink(error, nonce);
      if (dead) return dead;
      if (error instanceof HashingOverloaded) return again(503, error.message);
      if (!(error instanceof PasswordRefused)) throw error;
      return again(
        422,
        "This password can't be used.",
        error.errors.map((problem) => problem.message),
      );
    }
  });
}

async function formOf<Offer>(
  page: PasswordPage<Offer>,
  ctx: RequestContext,
  token: string,
  nonce: string,
  refusal?: FormRefusal & { status: number },
): Promise<Shown> {
  try {
    const offer = await page.look(ctx, token);
    return { status: refusal?.status ?? 200, html: page.form(offer, token, nonce, refusal) };
  } catch (error) {
    const dead = page.deadLink(error, nonce);
    if (dead) return dead;
    throw error;
  }
}
