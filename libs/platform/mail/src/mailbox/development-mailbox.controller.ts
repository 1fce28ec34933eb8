import { Controller, Get, NotFoundException, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#platform/common';
import type { Request, Response } from 'express';
import { DevelopmentMailbox, type MailboxMessage } from './development-mailbox.js';
import { framedHtml, mailboxPage, messagePage } from './mailbox-pages.js';

/** Content Security Policies. Pages load no scripts or other resources. An email in a frame can load images over https. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; form-action 'none'; frame-ancestors 'self'";

/** Shows emails and text messages. Not registered in production. */
@ApiExcludeController()
@Public('development mailbox, absent in production')
@Controller('dev')
export class DevelopmentMailboxController {
  constructor(private readonly mailbox: DevelopmentMailbox) {}

  @Get('mailbox')
  async list(@Req() request: Request, @Res() response: Response, @Query('to') to?: unknown): Promise<void> {
    const messages = await this.mailbox.listNewest(typeof to === 'string' ? to : undefined);
    if (prefersJson(request)) sendJson(response, messages);
    else sendHtml(response, mailboxPage(messages), PAGE_POLICY);
  }

  @Get('mailbox.json')
  async listAsJson(@Res() response: Response, @Query('to') to?: unknown): Promise<void> {
    sendJson(response, await this.mailbox.listNewest(typeof to === 'string' ? to : undefined));
  }

  @Get('mailbox/:id')
  async show(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
    const message = await this.get(id);
    if (prefersJson(request)) sendJson(response, message);
    else sendHtml(response, messagePage(message), PAGE_POLICY);
  }

  @Get('mailbox/:id/html')
  async showHtml(@Res() response: Response, @Param('id') id: string): Promise<void> {
    const { html } = await this.get(id);
    if (html === null) throw new NotFoundException();
    sendHtml(response, framedHtml(html), MAIL_POLICY);
  }

  private async get(id: string): Promise<MailboxMessage> {
    const message = await this.mailbox.find(id);
    if (!message) throw new NotFoundException();
    return message;
  }
}

const prefersJson = (request: Request): boolean => request.accepts(['html', 'json']) === 'json';

function sendHtml(response: Response, html: string, policy: string): void {
  response.set({
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'SAMEORIGIN',
    'X-Content-Type-Options': 'nosniff',
    // Links on the page contain tokens.
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.type('html').send(html);
}

function sendJson(response: Response, data: unknown): void {
  response.set('Cache-Control', 'no-store').json({ data });
}
