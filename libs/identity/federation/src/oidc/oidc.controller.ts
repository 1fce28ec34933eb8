import { Body, Controller, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { DomainError, InvalidRequest, parseUrl, Public, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import {
  ApiData,
  ApiProblems,
  CrossOrigin,
  Ctx,
  type DataResponse,
  ForwardsClientAddress,
  isFromOwnPage,
  OpensSession,
  Post,
  SessionCookie,
  SkipIdempotency,
} from '#platform/http';
import { SignInResponse } from '#identity/sign-in';
import type { Request, Response } from 'express';
import { isRedirect, redirectUriOf } from '../provider/redirect-uris.js';
import { type Binding, BindingCookie } from './binding-cookie.js';
import { type CompletedSignIn, OidcSignInService } from './oidc-sign-in.service.js';
import { OidcCallbackRequest, OidcStartResponse, StartOidcRequest } from './oidc.requests.js';
import { challengeUrl, failedSignInUrl } from './page-addresses.js';
import { type StartedOidcSignIn, PendingOidcSignInsService } from './pending-oidc-sign-ins.service.js';

const OUTCOME = 'A session. If `mfaRequired` is true, an MFA challenge instead.';
const REFUSALS = {
  401: 'The sign-in has expired, is already completed or was started by another client (`oidc_state_invalid`). Or the identity provider refused the sign-in (`identity_provider_refused`). Or the response of the identity provider could not be verified (`identity_provider_answer_invalid`). Or the user is not allowed to sign in (`invalid_credentials`).',
  403: 'No user is linked to the account at the identity provider, and the service cannot link or create a user for this account (`account_not_linked`). Or the account at GitHub has no verified email address (`verified_email_missing`). Or the user must verify the email address first (`email_not_confirmed`).',
  409: 'The organization is suspended or not approved yet (`organization_suspended`, `organization_pending`).',
  422: 'The organization does not allow the email domain (`domain_not_allowed`).',
  429: 'Too many requests from this IP address.',
  503: "The identity provider can't be used at the moment (`identity_provider_unavailable`).",
};

@ApiTags('Sign-in')
@Controller('v1/auth/oidc')
export class OidcController {
  private readonly binding: BindingCookie;

  constructor(
    private readonly pendingOidcSignIns: PendingOidcSignInsService,
    private readonly oidcSignIn: OidcSignInService,
    private readonly sessionCookie: SessionCookie,
    private readonly config: AppConfig,
  ) {
    this.binding = new BindingCookie(config.baseUrl);
  }

  @Post('start')
  @HttpCode(200)
  @Public('The provider authenticates the user.')
  @SkipIdempotency('Each sign-in has a new state.')
  @ForwardsClientAddress('organization')
  @ApiOperation({
    operationId: 'startOidcSignIn',
    summary: 'Start an OIDC sign-in',
    description:
      'Starts a sign-in with an identity provider of any type. Returns the URL of a sign-in at the identity provider. The client opens this URL in the browser of the user. The identity provider then redirects the browser to `GET /v1/auth/oidc/callback/{issuer}`, which opens the session. A cookie binds the sign-in to the browser. If your client is not a browser (for example a desktop app), it must complete the sign-in with `POST /v1/auth/oidc/callback`. Such a client sends two values: the full URL of the redirect, and the `bindingToken` from the response to this request. The response is the same for an unknown organization and an unknown identity provider.',
  })
  @ApiData(OidcStartResponse, { description: 'The URL to open. It works once, within 10 minutes.' })
  @ApiProblems({
    404: 'The organization or provider was not found, or the provider is disabled.',
    429: REFUSALS[429],
    503: REFUSALS[503],
  })
  async start(
    @Ctx() ctx: RequestContext,
    @Body() body: StartOidcRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataResponse<OidcStartResponse>> {
    const { authorizationUrl, expiresAt, bindingToken } = await this.startSignIn(ctx, body, request, response);
    return { data: { authorizationUrl: authorizationUrl.href, expiresAt: expiresAt.toISOString(), bindingToken } };
  }

  /** Redirects the browser to the provider. With `returnTo`, redirects to the sign-in page on errors. */
  @Get('start')
  @Public('The provider authenticates the user.')
  @ApiExcludeEndpoint()
  async redirect(
    @Ctx() ctx: RequestContext,
    @Query() query: StartOidcRequest,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      // The provider may sign the person in without interaction, so no other site can start a sign-in (OWASP ASVS 7.6.2).
      if (query.returnTo !== undefined && !isFromOwnPage(request, this.config.baseUrl)) throw new CrossOrigin();
      const { authorizationUrl } = await this.startSignIn(ctx, query, request, response);
      response.redirect(302, authorizationUrl.href);
    } catch (error) {
      if (query.returnTo === undefined || !(error instanceof DomainError)) throw error;
      response.redirect(303, failedSignInUrl(this.config.baseUrl, query.organization, error.code));
    }
  }

  @Get('callback/:issuer')
  @Public('The response of the provider authenticates the user.')
  @ApiOperation({
    operationId: 'completeOidcSignIn',
    summary: 'Complete an OIDC sign-in',
    description:
      'Completes an OIDC sign-in in a browser. The URL of this operation is the redirect URI, to which the identity provider redirects the browser of the user. Each issuer has its own redirect URI. The operation accepts the parameters of RFC 6749 and RFC 9207 (`code`, `state`, `iss`, or `error`) and ignores all other parameters. The request must contain the cookie that was set when the sign-in was started. If the sign-in was started with `returnTo`, the browser is redirected to the path in `returnTo`. Publishes `user.login` and, for a new user, `user.created`.',
  })
  @ApiParam({
    name: 'issuer',
    description: 'Issuer without `https://` and a slash at the end, with `~` instead of each other slash.',
    schema: { type: 'string', maxLength: 600, example: 'login.example.com' },
  })
  @ApiData(SignInResponse, { description: OUTCOME })
  @ApiResponse({
    status: 303,
    description:
      'For a sign-in that was started with `returnTo`: redirects to `returnTo`, with the session token in the session cookie. If MFA is required, redirects to `/account/sign-in#challenge=…&methods=…&organization=…&returnTo=…` instead. If the sign-in failed, redirects to `/account/sign-in?organization=…&error=<code>` instead.',
  })
  @ApiProblems(REFUSALS)
  async callback(
    @Ctx() ctx: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataResponse<SignInResponse> | undefined> {
    return this.complete(ctx, request, response);
  }

  @Post('callback')
  @HttpCode(200)
  @Public('The response of the provider authenticates the user.')
  @SkipIdempotency('Each sign-in opens a new session.')
  @OpensSession()
  @ForwardsClientAddress('callbackUrl')
  @ApiOperation({
    operationId: 'completeOidcSignInWithToken',
    summary: 'Submit an OIDC callback',
    description:
      'Completes an OIDC sign-in that was started by a client that is not a browser, for example a desktop app. Such a client opens a browser for the sign-in. After the sign-in, the identity provider redirects this browser. The client reads the full URL of the redirect, and sends this URL and the `bindingToken` from `POST /v1/auth/oidc/start`. Publishes `user.login` and, for a new user, `user.created`.',
  })
  @ApiData(SignInResponse, { description: OUTCOME })
  @ApiProblems(REFUSALS)
  async completeWithToken(
    @Ctx() ctx: RequestContext,
    @Body() { callbackUrl, bindingToken }: OidcCallbackRequest,
  ): Promise<DataResponse<SignInResponse>> {
    return responseOf(await this.oidcSignIn.complete(ctx, this.callbackOf(callbackUrl), bindingToken));
  }

  private async startSignIn(
    ctx: RequestContext,
    body: StartOidcRequest,
    request: Request,
    response: Response,
  ): Promise<StartedOidcSignIn> {
    const started = await this.pendingOidcSignIns.start(ctx, body);
    const { state, bindingToken: token, expiresAt } = started;
    const organizationSlug = body.returnTo === undefined ? undefined : started.organization.slug;
    this.binding.set(request, response, { state, token, expiresAt, organizationSlug });
    return started;
  }

  /** Completes a sign-in with the cookie of the browser that started it. */
  private async complete(
    ctx: RequestContext,
    request: Request,
    response: Response,
  ): Promise<DataResponse<SignInResponse> | undefined> {
    const [path = '', ...query] = request.originalUrl.split('?');
    const callbackUrl = new URL(this.config.baseUrl);
    callbackUrl.pathname = path;
    callbackUrl.search = query.join('?');
    const state = callbackUrl.searchParams.get('state') ?? '';
    const { token, organizationSlug } = this.binding.read(request, state);
    // A state works only once, also if the sign-in fails.
    if (token !== '') this.binding.clear(response, state);
    if (organizationSlug !== undefined) return this.completeOnPage(ctx, callbackUrl, { token, organizationSlug }, response);
    return responseOf(await this.oidcSignIn.complete(ctx, callbackUrl, token));
  }

  /** Completes a sign-in that a page started. Redirects the browser to a page, even after an error. */
  private async completeOnPage(
    requestCtx: RequestContext,
    callbackUrl: URL,
    { token, organizationSlug }: Required<Binding>,
    response: Response,
  ): Promise<undefined> {
    const ctx: RequestContext = { ...requestCtx, source: 'dashboard' };
    let url: string;
    try {
      url = this.pageUrl(await this.oidcSignIn.complete(ctx, callbackUrl, token), response);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      url = failedSignInUrl(this.config.baseUrl, organizationSlug ?? '', error.code);
    }
    response.status(303).setHeader('Location', url);
  }

  /** Returns the URL to redirect to, and sets the session cookie if the sign-in opened a session. */
  private pageUrl({ outcome, organization, returnTo = '/account' }: CompletedSignIn, response: Response): string {
    if (outcome.kind === 'mfa_required') return challengeUrl(this.config.baseUrl, outcome, organization.slug, returnTo);
    this.sessionCookie.set(response, outcome.token, outcome.session.expiresAt);
    return `${this.config.baseUrl}${returnTo}`;
  }

  /** @throws InvalidRequest (400) for a URL that is not a redirect URI */
  private callbackOf(callbackUrl: string): URL {
    const { baseUrl } = this.config;
    const url = parseUrl(callbackUrl);
    if (url && isRedirect(baseUrl, url)) return url;
    const message = `callbackUrl must start with the redirect URI of the identity provider, such as ${redirectUriOf(baseUrl, 'https://login.example.com')}.`;
    throw new InvalidRequest([{ pointer: '/callbackUrl', in: 'body', code: 'invalid_url', message }]);
  }
}

const responseOf = ({ outcome, user }: CompletedSignIn): DataResponse<SignInResponse> => ({
  data: SignInResponse.from(outcome, user),
});
