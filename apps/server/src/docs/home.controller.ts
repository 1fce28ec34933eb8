import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#common';

/** Whoever opens the bare address looks for a way in. */
@ApiExcludeController()
@Controller()
export class HomeController {
  @Get()
  @Redirect('/docs', 302)
  @Public('leads to the documentation')
  home(): void {}
}
