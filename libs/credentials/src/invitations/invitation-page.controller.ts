import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { AppConfig } from '#config';
import { Ctx, formBodyAt, type StreamedBody } from '#http';
import type { Request, Response } from 'express';
import type { PasswordLinkOffer } from '../link-offer.js';
import type { Shown } from '../pages/page-answers.js';
import { noticePage } from '../pages/page-layout.js';
import { type PasswordPage, showPasswordPage, takePasswordForm } from '../pages/password-page.js';
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
  private readonly page: PasswordPage<PasswordLinkOffer>;

  constructor(
    invitations: InvitationAcceptance,
    private readonly config: AppConfig,
  ) {
    this.page = {
      look: (ctx, token) => invitations.look(ctx, token),
      form: invitationForm,
      set: async (ctx, chosen) => {
        const { organization } = await invitations.accept(ctx, chosen);
        const text = `Your password is set and your account at ${organization.name} is active. You can sign in now.`;
        return { heading: 'Welcome', text };
      },
      deadLink: (error, nonce) => (error instanceof InvitationInvalid ? invalid(error, nonce) : undefined),
    };
  }

  @Get()
  show(@Ctx() ctx: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    return showPasswordPage(this.page, ctx, request, response);
  }

  @Post()
  accept(@Ctx() ctx: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    return takePasswordForm(this.page, ctx, request, response, this.config.baseUrl);
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
