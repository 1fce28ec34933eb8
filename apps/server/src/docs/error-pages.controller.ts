import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#platform/common';
import { AppConfig } from '#platform/config';
import { sendHtmlPage } from '#platform/http';
import type { Response } from 'express';
import { errorPage } from './error-pages.js';

/** The pages to which the `type` of an error links. */
@ApiExcludeController()
@Controller('docs/errors')
@Public('Documentation, the same for everybody.')
export class ErrorPagesController {
  constructor(private readonly config: AppConfig) {}

  @Get(':code')
  async read(@Param('code') code: string, @Res() response: Response): Promise<void> {
    const content = await errorPage(code);
    if (content === undefined) throw new NotFoundException();
    sendHtmlPage(response, this.config, { title: code, content });
  }
}
