import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { assertOwnOrigin, readCookies } from '#platform/http';
import type { Request } from 'express';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { KoaContext, StoredInteraction } from '../provider/library.js';
import { currentRequest } from '../provider/oauth-request.js';
import { INTERACTION_SECONDS } from '../provider/token-lifetimes.js';
import { interactionCookie } from './interaction-cookie.js';
import { InteractionNotFound } from './interaction-errors.js';

/** Checks of the sign-in prompt that a session satisfies only after a new proof. */
const FRESH_REASONS = new Set(['login_prompt', 'max_age', 'acr_values', 'essential_acr', 'essential_acrs', 'organization_rules']);

/** Whether the user must prove the identity after the interaction began, even with a session. */
export const needsFreshProof = ({ prompt: { reasons } }: Pick<StoredInteraction, 'prompt'>): boolean =>
  reasons.some((reason) => FRESH_REASONS.has(reason));

type SignInClient = Pick<KnownClient, 'organization' | 'visibility'>;

/** Returns the slug of the only organization for which a client signs users in. */
const onlyOrganizationOf = (client: SignInClient | undefined): string | undefined =>
  client?.visibility === 'organization' ? client.organization?.slug : undefined;

/** Knows the pages that ask the questions of an authorization request. */
@Injectable()
export class InteractionPagesService {
  constructor(private readonly config: AppConfig) {}

  /** Returns the page that asks the question, and lets only this browser answer it. */
  readonly addressOf = (ctx: KoaContext, interaction: StoredInteraction): string => {
    const { name, ...attributes } = interactionCookie(this.config, interaction.jti);
    ctx.cookies.set(name, '1', { ...attributes, maxAge: INTERACTION_SECONDS * 1_000 });
    return this.page(interaction, currentRequest().clients.get(ctx.oidc.client.clientId));
  };

  /** @throws InteractionNotFound (404) if another browser started the interaction */
  assertOwn(request: Request, id: string): void {
    const { name } = interactionCookie(this.config, id);
    if (!readCookies(request).some(([each]) => each === name)) throw new InteractionNotFound();
  }

  /**
   * For changes without a session, which alone would prove the origin of a request.
   * @throws CrossOrigin (403) for a page of another origin, InteractionNotFound (404) if another browser started the interaction
   */
  assertOwnPage(request: Request, id: string): void {
    this.assertOwn(request, id);
    assertOwnOrigin(request, this.config.baseUrl);
  }

  page(interaction: Pick<StoredInteraction, 'jti' | 'prompt' | 'params'>, client: SignInClient | undefined): string {
    const { jti, prompt, params } = interaction;
    const locale = params['ui_locales']?.split(' ')[0];
    if (prompt.name !== 'login' && prompt.name !== 'create') return this.url('/account/authorize', { interaction: jti, locale });
    return this.url(prompt.name === 'create' ? '/account/sign-up' : '/account/sign-in', {
      returnTo: `/oauth/interactions/${jti}`,
      organization: params['organization'] ?? onlyOrganizationOf(client),
      email: params['login_hint'],
      locale,
      ...(needsFreshProof(interaction) ? { reauthenticate: '1' } : {}),
    });
  }

  /** The address at which the library continues with the authorization request. */
  resumeAddress(id: string): string {
    return `${this.config.baseUrl}/oauth/authorize/${id}`;
  }

  private url(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
    const entries = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
    return `${this.config.baseUrl}${path}?${new URLSearchParams(entries)}`;
  }
}
