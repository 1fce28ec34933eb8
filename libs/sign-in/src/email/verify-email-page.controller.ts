import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DomainError, Public, type RequestContext } from '#common';
import { AppConfig } from '#config';
import { accountField, formPage, noticePage, type Shown, showPage, takeForm, tokenField } from '#credentials';
import { Ctx, formBodyAt, type StreamedBody } from '#http';
import { escapeHtml, singleLine } from '#mail';
import type { Request, Response } from 'express';
import { deadLinkPage } from '../links/dead-link-page.js';
import { LinkInvalid } from '../links/link-errors.js';
import { EmailVerification, type VerificationOffer } from './email-verification.service.js';

/** The page takes a form, as browsers send it without any script. */
export const VERIFY_EMAIL_FORM_BODY: StreamedBody = formBodyAt(/^\/verify-email\/?$/);

/** The page that mails about addresses lead to. Looking at it confirms nothing; its button does. */
@ApiExcludeController()
@Public('The token of the link is the proof.')
@Controller('verify-email')
export class VerifyEmailPageController {
  constructor(
    private readonly verification: EmailVerification,
    private readonly config: AppConfig,
  ) {}

  @Get()
  async show(@Ctx() ctx: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    await showPage(request, response, async (token, nonce) => {
      try {
        return { status: 200, html: verificationForm(await this.verification.look(ctx, token), token, nonce) };
      } catch (error) {
        return refused(error, nonce);
      }
    });
  }

  @Post()
  async verify(@Ctx() given: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    const ctx: RequestContext = { ...given, source: 'dashboard' };
    await takeForm(request, response, this.config.baseUrl, async ({ token }, nonce): Promise<Shown> => {
      try {
        const { email, home } = await this.verification.verify(ctx, token);
        const text = `${email} is confirmed for your account at ${home.name}. You can sign in now.`;
        return { status: 200, html: noticePage('Address confirmed', text, nonce) };
      } catch (error) {
        return refused(error, nonce);
      }
    });
  }
}

/** @throws what is no fault of the link */
function refused(error: unknown, nonce: string): Shown {
  if (error instanceof LinkInvalid) return deadLinkPage(error, nonce);
  if (!(error instanceof DomainError)) throw error;
  return { status: 409, html: noticePage('This address can not be used', error.message, nonce) };
}

const PURPOSES: Record<VerificationOffer['kind'], (organization: string) => string> = {
  sign_up: (organization) => `Confirm this address to activate your account at ${organization}.`,
  address: (organization) => `Confirm that this is the address of your account at ${organization}.`,
  change: (organization) =>
    `Confirm that your account at ${organization} is to move to this address. Other devices are signed out.`,
};

function verificationForm(offer: VerificationOffer, token: string, nonce: string): string {
  const { email, kind, organization, branding } = offer;
  const body = `<p>${escapeHtml(PURPOSES[kind](singleLine(organization.name)))}</p>
<form method="post" action="verify-email">
${tokenField(token)}
${accountField(email)}
<p><button type="submit">Confirm the address</button></p>
</form>`;
  return formPage({ heading: 'Confirm your e-mail address', body }, nonce, {
    organizationName: organization.name,
    ...branding,
  });
}
