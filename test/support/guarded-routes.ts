import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { AuthenticatedCaller } from '#identity/auth';
import { AllowedWhileSuspended, Public, type RequestContext } from '#platform/common';
import { Ctx, OwnAccount, Requires, type ServiceRequest } from '#platform/http';
import type { Response } from 'express';

/** The meaning of tokens in the current test. */
export const credentials = new Map<string, AuthenticatedCaller>();

/** Routes of every kind; each responds with its request context. */
@Controller()
export class MethodRoutes {
  @Get('open')
  @Public('A test.')
  open(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Get('organizations/:org')
  @Requires('users:read')
  read(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Post('organizations/:org')
  @Requires('users:write')
  write(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Post('organizations/:org/resume')
  @Requires('organizations:write')
  @AllowedWhileSuspended()
  resume(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Post('organizations/:org/activate')
  @Requires('organizations:write')
  @AllowedWhileSuspended({ byItsOwn: true })
  activate(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Get('everywhere')
  @Requires('users:read', { organization: 'none' })
  everywhere(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Get('own')
  @OwnAccount()
  own(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Post('own')
  @OwnAccount({ whileEnrolling: true, operators: true })
  ownWhileEnrolling(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  /** Runs long: the credential is revoked meanwhile, and the caller is checked again. */
  @Get('organizations/:org/stream/:then')
  @Requires('users:read')
  async stream(@Req() request: ServiceRequest, @Ctx() ctx: RequestContext, @Param('then') then: string): Promise<RequestContext> {
    if (then === 'revoked') credentials.clear();
    await request.authorizeAgain!();
    if (request.context !== ctx) throw new Error('The context of a request under way must not change.');
    return ctx;
  }

  /** The same after the response has begun. */
  @Get('own/stream')
  @OwnAccount()
  async ownStream(@Req() request: ServiceRequest, @Res() response: Response): Promise<void> {
    response.type('json').write('{ "code": ');
    credentials.clear();
    const refusal = await request.authorizeAgain!().then(
      () => undefined,
      (error: unknown) => error as { code?: string },
    );
    response.end(`${JSON.stringify(refusal?.code)} }`);
  }

  @Get('misdeclared')
  @Requires('users:read')
  misdeclared(): never {
    throw new Error('Nobody gets here.');
  }

  @Get('undeclared')
  undeclared(): string {
    return 'Somebody got here.';
  }
}

/** A class with class-level decorators. */
@Controller('class')
@Public('A test.')
export class ClassRoutes {
  @Get('open')
  open(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }
}
