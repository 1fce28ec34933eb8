import { Controller, Get, Redirect, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#platform/common';
import { SessionCookie } from '#platform/http';
import type { Request } from 'express';

@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly cookie: SessionCookie) {}

  @Get()
  @Redirect('/account/sign-in', 302)
  @Public('leads to the dashboard, or to the sign-in')
  home(@Req() request: Request): { url: string } {
    return { url: this.cookie.tokenOf(request) === undefined ? '/account/sign-in' : '/dashboard' };
  }
}
