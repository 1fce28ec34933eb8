import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { AppConfig } from '#config';
import { HashingOverloaded } from '#crypto';
import { Ctx, formBodyAt, type StreamedBody } from '#http';
import type { Request, Response } from 'express';
import { type Shown, showPage, takeForm, typingProblem } from '../pages/page-answers.js';
import { type FormRefusal, noticePage } from '../pages/page-layout.js';
import { PasswordRefused } from '../passwords/password-errors.js';
import { adviceOn, InvitationInvalid } from './invitation-errors.js';
import { invitationForm } from './invitation-pages.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';

/** The page takes a form, as browsers send it without any script. */
export const INVITATION_FORM_BODY: StreamedBody = formBodyAt(/^\/accept-invitation\/?$/);

/** The page that the mail of an invitation leads to. */
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
    await showPage(request, response, (token, nonce) => this.form(ctx, token, nonce));
  }

  @Post()
  async accept(@Ctx() given: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    const ctx: RequestContext = { ...given, source: 'dashboard' };
    await takeForm(request, response, this.config.baseUrl, async (fields, nonce) => {
      const message = typingProblem(fields);
      if (message !== undefined) return this.form(ctx, fields.token, nonce, { status: 422, message, problems: [] });
      return this.accepted(ctx, fields.token, fields.password, nonce);
    });
  }

  private async accepted(ctx: RequestContext, token: string, password: string, nonce: string): Promise<Shown> {
    try {
      const { organization } = await this.invitations.accept(ctx, { token, password });
      const text = `Your password is set and your account at ${organization.name} is active. You can sign in now.`;
      return { status: 200, html: noticePage('Welcome', text, nonce) };
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
  html: noticePage(HEADINGS[failure], adviceOn(failure), nonce),
});
