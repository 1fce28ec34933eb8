import { randomBytes } from 'node:crypto';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { AppConfig } from '#config';
import { HashingOverloaded } from '#crypto';
import { Ctx, formBodyAt, isFromOwnPage, readForm, type StreamedBody } from '#http';
import type { Request, Response } from 'express';
import { PasswordRefused } from '../passwords/password-errors.js';
import { adviceOn, InvitationInvalid } from './invitation-errors.js';
import { type FormRefusal, invitationForm, invitationNotice } from './invitation-pages.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';

/** The page takes a form, as browsers send it without any script. */
export const INVITATION_FORM_BODY: StreamedBody = formBodyAt(/^\/accept-invitation\/?$/);

/** An answer of the page. */
interface Shown {
  readonly status: number;
  readonly html: string;
}

/**
 * The page that the mail of an invitation leads to. It runs no script, loads nothing but a logo, can't be framed, and its address, which
 * holds the token, is told to nobody.
 */
@ApiExcludeController()
@Public('The token of the link is the proof.')
@Controller('accept-invitation')
export class InvitationPageController {
  constructor(
    private readonly invitations: InvitationAcceptance,
    private readonly config: AppConfig,
  ) {}

  @Get()
  async show(@Ctx() ctx: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    const nonce = newNonce();
    send(response, nonce, await this.form(ctx, textOf(request.query['token']), nonce));
  }

  @Post()
  async accept(@Ctx() given: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    const nonce = newNonce();
    const ctx: RequestContext = { ...given, source: 'dashboard' };
    if (!isFromOwnPage(request, this.config.baseUrl)) {
      const html = invitationNotice('This form came from elsewhere', 'Open the link in the mail again and use its form.', nonce);
      return send(response, nonce, { status: 403, html });
    }
    const fields = await readForm(request, response);
    const token = textOf(fields['token']);
    const password = textOf(fields['password']);
    if (password === '' || password !== textOf(fields['repeated'])) {
      const message = password === '' ? 'Enter a password.' : 'The two passwords are not the same.';
      return send(response, nonce, await this.form(ctx, token, nonce, { status: 422, message, problems: [] }));
    }
    send(response, nonce, await this.accepted(ctx, token, password, nonce));
  }

  private async accepted(ctx: RequestContext, token: string, password: string, nonce: string): Promise<Shown> {
    try {
      const { organization } = await this.invitations.accept(ctx, { token, password });
      const text = `Your password is set and your account at ${organization.name} is active. You can sign in now.`;
      return { status: 200, html: invitationNotice('Welcome', text, nonce) };
    } catch (error) {
      if (error instanceof InvitationInvalid) return invalid(error, nonce);
      if (error instanceof HashingOverloaded)
        return this.form(ctx, token, nonce, { status: 503, message: error.message, problems: [] });
      if (!(error instanceof PasswordRefused)) throw error;
      const problems = error.errors.map(({ message }) => message);
      return this.form(ctx, token, nonce, { status: 422, message: "This password can't be used.", problems });
    }
  }

  private async form(
    ctx: RequestContext,
    token: string,
    nonce: string,
    refusal?: FormRefusal & { status: number },
  ): Promise<Shown> {
    try {
      const offer = await this.invitations.look(ctx, token);
      return { status: refusal?.status ?? 200, html: invitationForm(offer, token, nonce, refusal) };
    } catch (error) {
      if (error instanceof InvitationInvalid) return invalid(error, nonce);
      throw error;
    }
  }
}

const HEADINGS = {
  used: 'Already accepted',
  expired: 'This invitation has expired',
  voided: 'This invitation was replaced',
  unknown: 'This invitation does not work',
} as const;

const invalid = ({ failure }: InvitationInvalid, nonce: string): Shown => ({
  status: 400,
  html: invitationNotice(HEADINGS[failure], adviceOn(failure), nonce),
});

const newNonce = (): string => randomBytes(16).toString('base64');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function send(response: Response, nonce: string, { status, html }: Shown): void {
  response.set({
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.status(status).type('html').send(html);
}
