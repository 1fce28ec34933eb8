import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { AppConfig } from '#config';
import {
  accountField,
  type FormRefusal,
  formPage,
  newPasswordFields,
  type PasswordLinkOffer,
  type PasswordPage,
  policyRules,
  showPasswordPage,
  takePasswordForm,
  tokenField,
} from '#credentials';
import { Ctx, formBodyAt, type StreamedBody } from '#http';
import { escapeHtml, momentText, singleLine } from '#mail';
import type { Request, Response } from 'express';
import { deadLinkPage } from '../links/dead-link-page.js';
import { LinkInvalid } from '../links/link-errors.js';
import { PasswordRecovery } from './password-recovery.service.js';

/** The page takes a form, as browsers send it without any script. */
export const RESET_PASSWORD_FORM_BODY: StreamedBody = formBodyAt(/^\/reset-password\/?$/);

/** The page that the mail about a forgotten password leads to. */
@ApiExcludeController()
@Public('The token of the link is the proof.')
@Controller('reset-password')
export class ResetPasswordPageController {
  private readonly page: PasswordPage<PasswordLinkOffer>;

  constructor(
    recovery: PasswordRecovery,
    private readonly config: AppConfig,
  ) {
    this.page = {
      look: (ctx, token) => recovery.look(ctx, token),
      form: resetForm,
      set: async (ctx, chosen) => {
        const { name } = await recovery.reset(ctx, chosen);
        const text = `Your new password for ${name} is set, and all devices were signed out. You can sign in now.`;
        return { heading: 'Password changed', text };
      },
      deadLink: (error, nonce) => (error instanceof LinkInvalid ? deadLinkPage(error, nonce) : undefined),
    };
  }

  @Get()
  show(@Ctx() ctx: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    return showPasswordPage(this.page, ctx, request, response);
  }

  @Post()
  reset(@Ctx() ctx: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    return takePasswordForm(this.page, ctx, request, response, this.config.baseUrl);
  }
}

function resetForm(offer: PasswordLinkOffer, token: string, nonce: string, refusal?: FormRefusal): string {
  const { email, organization, branding, expiresAt, passwordPolicy } = offer;
  const organizationName = organization.name;
  const body = `<p>Choose a new password for your account at ${escapeHtml(singleLine(organizationName))}. The link that brought you here works once, until ${momentText(expiresAt)}.</p>
<form method="post" action="reset-password">
${tokenField(token)}
${accountField(email)}
${newPasswordFields(policyRules(passwordPolicy), refusal !== undefined)}
<p><button type="submit">Set the new password</button></p>
</form>`;
  return formPage({ heading: 'Set a new password', body, refusal }, nonce, { organizationName, ...branding });
}
