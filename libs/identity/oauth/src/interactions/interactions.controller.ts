import { Body, Controller, Get, HttpCode, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, OwnAccount, Post, SkipIdempotency } from '#platform/http';
import type { Request } from 'express';
import { InteractionPagesService } from './interaction-pages.service.js';
import {
  AskForApprovalRequest,
  ChooseInteractionOrganizationRequest,
  ContinuedInteractionResponse,
  OauthApplicationResponse,
  OauthInteractionResponse,
} from './interaction.responses.js';
import { InteractionsService } from './interactions.service.js';

const ID = { name: 'id', description: 'Id of the interaction.', example: 'V1StGXR8Z5jdHi6BmyTAbCdEfGhIjKlMnOpQrStUvWx' };
const NOT_FOUND = {
  404: 'The request has expired, was answered, or was started in another browser (`oauth_interaction_not_found`).',
};
const ANSWER = { ...NOT_FOUND, 409: 'The request asks for something else now (`oauth_interaction_answered`).' };
const ONLY_PAGES = 'Only for the pages of the service: the request must have the cookie of the interaction.';

/** Authorization requests that wait for an answer of the user. */
@ApiTags('OAuth grants')
@ApiIdParam(ID)
@Controller('v1/oauth/interactions/:id')
export class InteractionsController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly pages: InteractionPagesService,
  ) {}

  @Get('application')
  @Public('The sign-in page shows which application the user signs in to.')
  @ApiOperation({
    operationId: 'getOauthInteractionApplication',
    summary: 'Get the application of an authorization request',
    description: ONLY_PAGES,
  })
  @ApiData(OauthApplicationResponse)
  @ApiProblems(NOT_FOUND)
  async getApplication(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<DataResponse<OauthApplicationResponse>> {
    this.pages.assertOwn(request, id);
    return { data: OauthApplicationResponse.from((await this.interactions.find(ctx, id)).client) };
  }

  @Get()
  @OwnAccount()
  @ApiOperation({
    operationId: 'getOauthInteraction',
    summary: 'Get an authorization request that waits for you',
    description: `Returns who asks, for what, and for which organization. ${ONLY_PAGES}`,
  })
  @ApiData(OauthInteractionResponse)
  @ApiProblems(NOT_FOUND)
  async get(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<DataResponse<OauthInteractionResponse>> {
    this.pages.assertOwn(request, id);
    return { data: OauthInteractionResponse.from(await this.interactions.get(ctx, id)) };
  }

  @Post('organization')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('The browser continues with the answer.')
  @ApiOperation({
    operationId: 'chooseOauthInteractionOrganization',
    summary: 'Choose the organization for an authorization request',
    description: ONLY_PAGES,
  })
  @ApiData(ContinuedInteractionResponse)
  @ApiProblems(ANSWER)
  async chooseOrganization(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { organizationId }: ChooseInteractionOrganizationRequest,
    @Req() request: Request,
  ): Promise<DataResponse<ContinuedInteractionResponse>> {
    this.pages.assertOwn(request, id);
    return { data: { redirectTo: await this.interactions.chooseOrganization(ctx, id, organizationId) } };
  }

  @Post('consent')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('The browser continues with the answer.')
  @ApiOperation({
    operationId: 'allowOauthInteraction',
    summary: 'Allow an authorization request',
    description: `Allows the application what it asks for in the organization. ${ONLY_PAGES} Publishes \`oauth_grant.created\` or \`oauth_grant.updated\`.`,
  })
  @ApiData(ContinuedInteractionResponse)
  @ApiProblems(ANSWER)
  async allow(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<DataResponse<ContinuedInteractionResponse>> {
    this.pages.assertOwn(request, id);
    return { data: { redirectTo: await this.interactions.allow(ctx, id) } };
  }

  @Post('approval-request')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('The browser continues with the answer.')
  @ApiOperation({
    operationId: 'requestOauthInteractionApproval',
    summary: 'Ask the owners for the application of an authorization request',
    description: `Asks the owners of the organization to approve the application. They are notified by email, and the user is notified of the decision. ${ONLY_PAGES} Publishes \`oauth_client.approval_requested\`, unless another request for the application waits.`,
  })
  @ApiData(ContinuedInteractionResponse)
  @ApiProblems({
    ...NOT_FOUND,
    409: 'The request asks for something else now (`oauth_interaction_answered`), only owners can use the application (`application_approval_not_needed`), an owner denied it a short time ago (`application_approval_denied`), or too many requests wait (`application_approval_limit`).',
  })
  async askForApproval(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { reason }: AskForApprovalRequest,
    @Req() request: Request,
  ): Promise<DataResponse<ContinuedInteractionResponse>> {
    this.pages.assertOwn(request, id);
    return { data: { redirectTo: await this.interactions.askForApproval(ctx, id, reason) } };
  }

  @Post('denial')
  @HttpCode(200)
  @Public(
    'The user can cancel before the sign-in. The cookie of the interaction and the origin of the request authenticate the browser.',
  )
  @SkipIdempotency('The browser continues with the answer.')
  @ApiOperation({
    operationId: 'denyOauthInteraction',
    summary: 'Deny an authorization request',
    description: `Returns the user to the application with the error \`access_denied\`, also before the sign-in. ${ONLY_PAGES}`,
  })
  @ApiData(ContinuedInteractionResponse)
  @ApiProblems({ ...NOT_FOUND, 403: 'A page of another origin sent the request (`cross_origin`).' })
  async deny(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<DataResponse<ContinuedInteractionResponse>> {
    this.pages.assertOwnPage(request, id);
    return { data: { redirectTo: await this.interactions.deny(ctx, id) } };
  }
}
