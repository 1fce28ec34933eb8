import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import { InvalidRequest, parseUrl, Public, type RequestContext } from '#common';
import { AppConfig } from '#config';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OpensSession, SkipIdempotency } from '#http';
import { SignInResponse } from '#sign-in';
import type { Request, Response } from 'express';
import { BindingCookie } from './binding-cookie.js';
import { OidcSignIn } from './oidc-sign-in.service.js';
import { OidcCallbackRequest, OidcStartResponse, StartOidcRequest } from './oidc.requests.js';
import { type BegunSignIn, PendingOidcSignIns } from './pending-oidc-sign-ins.service.js';

const OUTCOME = 'A session, or a challenge for the second factor (`mfaRequired`).';
const REFUSALS = {
  401: 'The sign-in is over or was begun elsewhere, the provider refused, its answer could not be verified, or the account can not sign in.',
  403: 'No user belongs to the account at the provider, and none may be made.',
  409: 'The organization is suspended or pending.',
  422: 'The organization does not take e-mail addresses of this domain.',
  429: 'Too many requests from this address.',
  503: 'The identity provider can not be used at this moment.',
};

/** Signing in with an organization's identity provider. */
@ApiTags('Sign-in')
@Controller('v1/auth/oidc')
export class OidcController {
  private readonly cookie: BindingCookie;

  constructor(
    private readonly pending: PendingOidcSignIns,
    private readonly signIn: OidcSignIn,
    config: AppConfig,
  ) {
    this.cookie = new BindingCookie(config.baseUrl);
  }

  @Post('start')
  @HttpCode(200)
  @Public('The provider asks for the proof.')
  @SkipIdempotency('Each sign-in has a state of its own.')
  @ApiOperation({
    operationId: 'startOidcSignIn',
    summary: 'Begin to sign in with an identity provider',
    description:
      'Gives the address to lead the browser to. The provider leads it back to `/v1/auth/oidc/callback`, which opens the session for the browser that began: it has a cookie by then. Programs that read the address off the browser send it with the `bindingToken` instead. Unknown organization and unknown provider are one answer.',
  })
  @ApiData(OidcStartResponse, { description: 'Where to go. Works once, within ten minutes.' })
  @ApiProblems({
    404: 'There is no such organization or provider, or it is switched off.',
    429: REFUSALS[429],
    503: REFUSALS[503],
  })
  async start(
    @Ctx() ctx: RequestContext,
    @Body() wanted: StartOidcRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataAnswer<OidcStartResponse>> {
    const { authorizationUrl, expiresAt, bindingToken } = await this.begin(ctx, wanted, response);
    return { data: { authorizationUrl: authorizationUrl.href, expiresAt: expiresAt.toISOString(), bindingToken } };
  }

  /** For a link on a page. */
  @Get('start')
  @Public('The provider asks for the proof.')
  @ApiExcludeEndpoint()
  async redirect(@Ctx() ctx: RequestContext, @Query() wanted: StartOidcRequest, @Res() response: Response): Promise<void> {
    const { authorizationUrl } = await this.begin(ctx, wanted, response);
    response.redirect(302, authorizationUrl.href);
  }

  @Get('callback')
  @Public("The provider's answer is the proof.")
  @ApiOperation({
    operationId: 'completeOidcSignIn',
    summary: 'Come back from an identity provider',
    description:
      'Where providers lead browsers back to, with the parameters of RFC 6749 and RFC 9207 (`code`, `state`, `iss`, or `error`); further ones are ignored. The cookie of the start must come along.',
  })
  @ApiData(SignInResponse, { description: OUTCOME })
  @ApiProblems(REFUSALS)
  async callback(
    @Ctx() ctx: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataAnswer<SignInResponse>> {
    const answer = new URL(this.pending.redirectUri);
    const [, query = ''] = /\?(.*)$/.exec(request.originalUrl) ?? [];
    answer.search = query;
    const completed = await this.complete(ctx, answer, this.cookie.read(request));
    this.cookie.clear(response);
    return completed;
  }

  @Post('callback')
  @HttpCode(200)
  @Public("The provider's answer is the proof.")
  @SkipIdempotency('Each sign-in opens a session of its own.')
  @OpensSession()
  @ApiOperation({
    operationId: 'completeOidcSignInWithToken',
    summary: 'Hand in what an identity provider answered',
    description: 'For programs that began the sign-in themselves and read off where the provider led the browser.',
  })
  @ApiData(SignInResponse, { description: OUTCOME })
  @ApiProblems(REFUSALS)
  async handIn(
    @Ctx() ctx: RequestContext,
    @Body() { callbackUrl, bindingToken }: OidcCallbackRequest,
  ): Promise<DataAnswer<SignInResponse>> {
    return this.complete(ctx, this.answerOf(callbackUrl), bindingToken);
  }

  private async begin(
    ctx: RequestContext,
    { organization, provider }: StartOidcRequest,
    response: Response,
  ): Promise<BegunSignIn> {
    const begun = await this.pending.begin(ctx, organization, provider);
    this.cookie.set(response, begun.bindingToken, begun.expiresAt);
    return begun;
  }

  private async complete(ctx: RequestContext, answer: URL, bindingToken: string): Promise<DataAnswer<SignInResponse>> {
    const outcome = await this.signIn.complete(ctx, answer, bindingToken);
    return { data: SignInResponse.from(outcome, outcome.user.user) };
  }

  /** @throws InvalidRequest (400) for an address that is not that of the callback */
  private answerOf(callbackUrl: string): URL {
    const expected = new URL(this.pending.redirectUri);
    const answer = parseUrl(callbackUrl);
    if (answer?.origin === expected.origin && answer.pathname === expected.pathname) return answer;
    const message = `callbackUrl must begin with ${expected.href}.`;
    throw new InvalidRequest([{ pointer: '/callbackUrl', in: 'body', code: 'invalid_url', message }]);
  }
}
