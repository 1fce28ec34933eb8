import { Injectable, Logger } from '@nestjs/common';
import { Clock, covers, type OrganizationScope, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type SignInProvider, SignInProvidersService } from '#directory/organizations';
import { FederatedUsersService, type User } from '#directory/users';
import { decodeProtectedHeader, type JWTPayload } from 'jose';
import { describeFailure } from '../provider/describe-failure.js';
import { ProviderClientsService } from '../provider/provider-clients.service.js';
import { type AssertionClaims, readAssertion, unverifiedIssuer } from './assertion-claims.js';

/** A user whom an identity provider asserts to a client. */
export interface AssertedUser {
  readonly user: User;
  readonly provider: SignInProvider;
  readonly claims: AssertionClaims;
}

/** Finds the users in assertions that the identity providers of organizations signed for a client (RFC 7523, ID-JAG). */
@Injectable()
export class AssertedUsersService {
  private readonly logger = new Logger('IdentityProviders');

  constructor(
    private readonly signInProviders: SignInProvidersService,
    private readonly providerClients: ProviderClientsService,
    private readonly federatedUsers: FederatedUsersService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns the active user who is linked to the subject of an assertion. The issuer must be an enabled identity provider of the
   * organization or an ancestor that allows the client.
   */
  async find(
    ctx: RequestContext,
    organization: OrganizationScope,
    clientId: string,
    assertion: string,
  ): Promise<AssertedUser | undefined> {
    const issuer = unverifiedIssuer(assertion);
    const providers = issuer === undefined ? [] : await this.signInProviders.listAllowing(ctx, organization, issuer, clientId);
    for (const provider of providers) {
      const claims = await this.verify(provider, clientId, assertion);
      const user = claims && (await this.findUser(ctx, provider, claims));
      if (user) return { user, provider, claims };
    }
    return undefined;
  }

  /** A provider can't assert users who are managed above its organization. */
  private async findUser(ctx: RequestContext, provider: SignInProvider, { subject }: AssertionClaims): Promise<User | undefined> {
    const { tenantId, id: identityProviderId, issuer, organizationId } = provider;
    const linked = await this.federatedUsers.find(ctx, { tenantId, identityProviderId, issuer, subject });
    const isWithin = linked && covers(organizationId, linked.managingOrganization);
    return isWithin && linked.user.status === 'active' ? linked.user : undefined;
  }

  private async verify(provider: SignInProvider, clientId: string, assertion: string): Promise<AssertionClaims | undefined> {
    try {
      const { keys } = await this.providerClients.get(provider);
      const payload = JSON.parse(new TextDecoder().decode(await keys.verify(assertion))) as JWTPayload;
      const { baseUrl } = this.config;
      const audiences = [baseUrl, `${baseUrl}/oauth/token`];
      const expected = { issuer: provider.issuer, audiences, clientId, now: this.clock.now() };
      return readAssertion(decodeProtectedHeader(assertion).typ, payload, expected);
    } catch (error) {
      this.logger.warn(`An assertion of ${provider.id} was refused: ${describeFailure(error)}`);
      return undefined;
    }
  }
}
