import { Injectable, Logger } from '@nestjs/common';
import { pipeline } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { ThreatDetectionService } from '#platform/threats';
import { ClientUsageService } from '../clients/client-usage.service.js';
import { grantKeyText, parseGrantKey } from '../grants/grant-key.js';
import { OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import { OAuthGrantsService } from '../grants/oauth-grants.service.js';
import { type NewArtifact, OAuthArtifactQuery } from '../tokens/oauth-artifact.query.js';
import type { KoaContext } from './library.js';
import { currentRequest, type OAuthRequest, type RequestWrites } from './oauth-request.js';
import { ALREADY_USED, replaceResponse, UNAVAILABLE } from './replaced-response.js';

/** Another request has used the code or refresh token since this request read it. */
class UsedMeanwhile extends Error {}

/**
 * Commits what a request wrote, in one transaction and before the response is sent: the use of a code or refresh token, and the tokens that
 * it was exchanged for. Of several simultaneous uses, only one succeeds; the others end the sign-in, as a later use does. Its only caller,
 * `LibraryHandlerService`, would have 13 dependencies with it.
 */
@Injectable()
export class OAuthRequestsService {
  private readonly logger = new Logger('OAuth');

  constructor(
    private readonly work: UnitOfWork,
    private readonly artifacts: OAuthArtifactQuery,
    private readonly grants: OAuthGrantsService,
    private readonly grantQuery: OAuthGrantQuery,
    private readonly threats: ThreatDetectionService,
    private readonly clientUsage: ClientUsageService,
  ) {}

  /** Runs around the library, as its first middleware. */
  readonly commit = async (ctx: KoaContext, next: () => Promise<void>): Promise<void> => {
    await next();
    const request = currentRequest();
    hideSessionCookie(ctx);
    hideWildcard(ctx);
    if (request.caller && ctx.status < 400) this.clientUsage.recordUse(request.caller, request.secretId);
    if (ctx.status >= 400) withdraw(request.writes);
    try {
      await this.write(request).catch((error: unknown) => this.endAfterRace(request, error));
    } catch (error) {
      const isReuse = error instanceof UsedMeanwhile;
      if (!isReuse) this.logger.error({ err: error }, 'An OAuth request could not be committed.');
      replaceResponse(ctx, isReuse ? ALREADY_USED : UNAVAILABLE);
    }
  };

  private async write(request: OAuthRequest): Promise<void> {
    const { writes, reused } = request;
    const { consumed, inserted, deleted, endedSignIns, others } = writes;
    const isUnchanged = consumed.size + inserted.length + deleted.size + endedSignIns.size + others.length === 0;
    if (isUnchanged) return;
    const now = this.work.now();
    await this.work.run(request.ctx, async (ctx) => {
      for (const id of consumed) if (!(await this.artifacts.consume(ctx, id, now))) throw new UsedMeanwhile();
      const grantId = await this.writeGrant(request, ctx);
      for (const write of others) await write(ctx);
      const statements = [
        ...inserted.map((artifact) => () => this.artifacts.insert(ctx, withGrant(artifact, grantId))),
        ...[...deleted].map((id) => () => this.artifacts.delete(ctx, id)),
      ];
      await pipeline(ctx, statements, { commit: endedSignIns.size === 0 });
      for (const id of endedSignIns) await this.artifacts.deleteOfSignIn(ctx, id);
      if (reused && endedSignIns.size > 0) await this.report(ctx, reused.grantId, reused.kind);
    });
  }

  /**
   * Writes the grant with the code, so that a request that ends without a code leaves nothing. Returns the id of the grant, which another
   * request can have created in the meantime.
   */
  private async writeGrant(
    { session, writes: { grant, inserted } }: OAuthRequest,
    ctx: OAuthRequest['ctx'],
  ): Promise<string | undefined> {
    if (!grant || !session || !inserted.some(({ kind }) => kind === 'AuthorizationCode')) return undefined;
    const { id } = grant.skipsConsent ? await this.grants.allow(ctx, grant) : grant;
    await this.grants.recordUse(ctx, { ...grant, id }, grant.client, session);
    return id;
  }

  /** Ends the sign-in if another request used the code or refresh token meanwhile. @throws the error */
  private async endAfterRace({ ctx, source }: OAuthRequest, error: unknown): Promise<never> {
    const grantId = source?.['grantId'];
    const key = error instanceof UsedMeanwhile && typeof grantId === 'string' ? parseGrantKey(grantId) : undefined;
    if (key)
      await this.work.run(ctx, async (ctx) => {
        await this.artifacts.deleteOfSignIn(ctx, key.signInId);
        await this.report(ctx, grantId as string, source?.['kind'] as string);
      });
    throw error;
  }

  private async report(ctx: OAuthRequest['ctx'], grantId: string, kind: string): Promise<void> {
    const key = parseGrantKey(grantId);
    const grant = key && (await this.grantQuery.findLive(ctx, key.tenantId, key.grantId));
    if (!grant) return;
    await this.threats.report(ctx, grant.organization, {
      rule: 'oauth_token_reused',
      riskLevel: 'high',
      subjectId: grant.userId,
      signals: { clientId: grant.clientId, used: USED[kind] ?? 'authorization_code' },
      action: 'tokens_revoked',
    });
  }
}

/** How events name what was used again. */
const USED: Readonly<Record<string, string>> = { RefreshToken: 'refresh_token', DeviceCode: 'device_code' };

/** Returns a code with the grant that is stored. Other artifacts stay as they are. */
function withGrant(artifact: NewArtifact, grantId: string | undefined): NewArtifact {
  const key = artifact.kind === 'AuthorizationCode' && parseGrantKey(artifact.payload['grantId'] as string);
  if (!key || grantId === undefined) return artifact;
  return { ...artifact, payload: { ...artifact.payload, grantId: grantKeyText({ ...key, grantId }) } };
}

/** A request that fails uses nothing up and issues nothing, so that it can be repeated. What it ends stays ended, and a used proof stays used. */
function withdraw({ consumed, inserted, others }: RequestWrites): void {
  consumed.clear();
  others.length = 0;
  inserted.splice(0, Infinity, ...inserted.filter(({ kind }) => kind === 'ReplayDetection'));
}

/** The session of the library is the session of this service, whose cookie the library must not replace. */
function hideSessionCookie({ response }: KoaContext): void {
  const lines = response.get('Set-Cookie');
  const kept = (Array.isArray(lines) ? lines : [lines]).filter((line) => line && !line.startsWith('oauth_session='));
  if (Array.isArray(lines) && kept.length !== lines.length) response.set('Set-Cookie', kept);
}

/** A response to a page of a client names its origin. Only discovery and keys are for all origins. */
function hideWildcard(ctx: KoaContext): void {
  const isForAll = ctx.response.get('Access-Control-Allow-Origin') === '*';
  if (isForAll && ctx.req.url?.startsWith('/oauth/')) ctx.remove('Access-Control-Allow-Origin');
}
