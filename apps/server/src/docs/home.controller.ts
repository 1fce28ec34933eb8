import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#platform/common';
import { AppConfig } from '#platform/config';

@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly config: AppConfig) {}

  @Get()
  @Redirect('/docs', 302)
  @Public('leads to the documentation, or to the dashboard')
  home(): { url: string } {
    return { url: this.config.docs ? '/docs' : '/dashboard' };
  }
}
