import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#platform/common';
import { errorPage } from './error-pages.js';

/** The pages to which the `type` of an error links. */
@ApiExcludeController()
@Controller('docs/errors')
@Public('Documentation, the same for everybody.')
export class ErrorPagesController {
  @Get(':code')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  async read(@Param('code') code: string): Promise<string> {
    const html = await errorPage(code);
    if (html === undefined) throw new NotFoundException();
    return html;
  }
}
