import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { AuthenticatedCaller } from '#identity/auth';
import { AllowedWhileSuspended, Public, type RequestContext } from '#platform/common';
import { Ctx, OwnAccount, Requires, type ServiceRequest } from '#platform/http';
import type { Response } from 'express';

/** The authenticated callers of the current test, by token. */
export const credentials = new Map<string, AuthenticatedCaller>();

/** Routes with each kind of declared access. Most routes return the request context. */
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
  @AllowedWhileSuspended({ forSuspendedCallers: true })
  activate(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Get('everywhere')
  @Requires('users:read', { organization: 'none' })
  everywhere(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }

  @Get('scim/:connection')
  @Requires('users:read', { organization: 'connection' })
  scim(@Ctx() ctx: RequestContext): RequestContext {
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

  /** Repeats the authorization during a long request. Revokes the credential before if `then` is `revoked`. */
  @Get('organizations/:org/stream/:then')
  @Requires('users:read')
  async stream(@Req() request: ServiceRequest, @Ctx() ctx: RequestContext, @Param('then') then: string): Promise<RequestContext> {
    if (then === 'revoked') credentials.clear();
    await request.authorizeAgain!();
    if (request.context !== ctx) throw new Error('The context of a request under way must not change.');
    return ctx;
  }

  /** Starts the response, revokes the credential, authorizes the request again, and sends the code of the error. */
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
    throw new Error('The guard must reject this request.');
  }

  @Get('undeclared')
  undeclared(): string {
    return 'This response must not be sent.';
  }
}

/** Routes with class-level decorators. */
@Controller('class')
@Public('A test.')
export class ClassRoutes {
  @Get('open')
  open(@Ctx() ctx: RequestContext): RequestContext {
    return ctx;
  }
}
