import { Controller, HttpCode, Param } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { AllowedInSetup, AllowedWhileSuspended, organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { ApiData, ApiIdParam, Ctx, type DataResponse, Post, Requires, SkipIdempotency } from '#platform/http';
import { SignInProvidersService } from '#directory/organizations';
import { PendingOidcSignInsService } from '../oidc/pending-oidc-sign-ins.service.js';
import { DISCOVERY_PROBLEMS, type DiscoveryProblem } from './discovery-problem.js';
import { ProviderClientsService } from './provider-clients.service.js';

export class DiscoveryProblemResponse implements DiscoveryProblem {
  @ApiProperty({ enum: DISCOVERY_PROBLEMS, example: 'other_issuer' }) code!: DiscoveryProblem['code'];
  @ApiProperty({ example: 'The provider reports the issuer "https://login.example.com/". Enter the issuer exactly like this.' })
  message!: string;
}

export class IdentityProviderCheckResponse {
  @ApiProperty({
    description: 'Whether the identity provider responds with valid metadata, or GitHub accepts the client.',
    example: true,
  })
  usable!: boolean;
  @ApiPropertyOptional({ description: 'The problem. Only if `usable` is false.' }) problem?: DiscoveryProblemResponse;
  @ApiProperty({
    format: 'uri',
    description: 'Redirect URI to register at the identity provider.',
    example: 'https://iam.example.com/v1/auth/oidc/callback/login.example.com',
  })
  redirectUri!: string;
}

@ApiTags('Identity providers')
@Controller('v1/organizations/:org/identity-providers/:id/check')
export class ProviderCheckController {
  constructor(
    private readonly signInProviders: SignInProvidersService,
    private readonly providerClients: ProviderClientsService,
    private readonly pendingOidcSignIns: PendingOidcSignInsService,
  ) {}

  @Post()
  @HttpCode(200)
  @AllowedWhileSuspended()
  @SkipIdempotency('It changes nothing, and sends a request to the provider each time.')
  @AllowedInSetup('sso')
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'checkIdentityProvider',
    summary: 'Check an identity provider',
    description:
      'Reads the metadata of the identity provider (OpenID Connect Discovery), as a sign-in does. The client id and the client secret are not checked, because the service uses the client id and the client secret only for sign-ins. For GitHub, which has no metadata, sends the client id and the client secret with an invalid code instead.',
  })
  @ApiIdParam({ name: 'id', description: 'Id of the identity provider.', example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  @ApiData(IdentityProviderCheckResponse)
  async check(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<IdentityProviderCheckResponse>> {
    const provider = await this.signInProviders.findOwn(ctx, organizationOf(ctx), id);
    if (!provider) throw new ResourceNotFound('identity_provider', id);
    const redirectUri = this.pendingOidcSignIns.redirectUriOf(provider);
    const problem = await this.providerClients.findProblem(provider, redirectUri);
    return { data: problem ? { usable: false, problem, redirectUri } : { usable: true, redirectUri } };
  }
}
