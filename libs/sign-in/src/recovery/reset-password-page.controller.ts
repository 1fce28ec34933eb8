import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { AppConfig } from '#config';
import {
  accountField,
  type FormRefusal,
  formPage,
  newPasswordFields,
  noticePage,
  PasswordRefused,
  type Shown,
  showPage,
  takeForm,
  tokenField,
  typingProblem,
} from '#credentials';
import { HashingOverloaded } from '#crypto';
import { Ctx, formBodyAt, type StreamedBody } from '#http';
import { escapeHtml, momentText, singleLine } from '#mail';
import type { Request, Response } from 'express';
import { deadLinkPage } from '../links/dead-link-page.js';
import { LinkInvalid } from '../links/link-errors.js';
import { type PasswordResetOffer, PasswordRecovery } from './password-recovery.service.js';

/** The page takes a form, as browsers send it without any script. */
export const RESET_PASSWORD_FORM_BODY: StreamedBody = formBodyAt(/^\/reset-password\/?$/);

/** The page that the mail about a forgotten password leads to. */
@ApiExcludeController()
@Public('The token of the link is the proof.')
@Controller('reset-password')
export class ResetPasswordPageController {
  constructor(
    private readonly recovery: PasswordRecovery,
    private readonly config: AppConfig,
  ) {}

  @Get()
  async show(@Ctx() ctx: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    await showPage(request, response, (token, nonce) => this.form(ctx, token, nonce));
  }

  @Post()
  async reset(@Ctx() given: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    const ctx: RequestContext = { ...given, source: 'dashboard' };
    await takeForm(request, response, this.config.baseUrl, async (fields, nonce) => {
      const message = typingProblem(fields);
      if (message !== undefined) return this.form(ctx, fields.token, nonce, { status: 422, message, problems: [] });
      return this.done(ctx, fields.token, fields.password, nonce);
    });
  }

  private async done(ctx: RequestContext, token: string, password: string, nonce: string): Promise<Shown> {
    try {
      const { name } = await this.recovery.reset(ctx, { token, password });
      const text = `Your new password for ${name} is set, and all devices were signed out. You can sign in now.`;
      return { status: 200, html: noticePage('Password changed', text, nonce) };
    } catch (error) {
      if (error instanceof LinkInvalid) return deadLinkPage(error, nonce);
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
      const offer = await this.recovery.look(ctx, token);
      return { status: refusal?.status ?? 200, html: resetForm(offer, token, nonce, refusal) };
    } catch (error) {
      if (error instanceof LinkInvalid) return deadLinkPage(error, nonce);
      throw error;
    }
  }
}

function resetForm(offer: PasswordResetOffer, token: string, nonce: string, refusal?: FormRefusal): string {
  const { email, organizationName, expiresAt, rules } = offer;
  const body = `<p>Choose a new password for your account at ${escapeHtml(singleLine(organizationName))}. The link that brought you here works once, until ${momentText(expiresAt)}.</p>
<form method="post" action="reset-password">
${tokenField(token)}
${accountField(email)}
${newPasswordFields(rules, refusal !== undefined)}
<p><button type="submit">Set the new password</button></p>
</form>`;
  return formPage({ heading: 'Set a new password', body, refusal }, nonce, offer);
}
