import type { KoaContext, LibraryPrompt, loadLibrary } from '../provider/library.js';
import { currentRequest } from '../provider/oauth-request.js';
import { isUsable, lacksAcr } from '../provider/session-payload.js';

type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** A native client whose redirect URI another application on the device can claim. */
const isClaimable = (uri: string | undefined): boolean => uri !== undefined && !uri.startsWith('https:');

/**
 * Returns the questions that an authorization request can lead to, in this order: registration, sign-in, account, organization, approval, consent.
 * Every check runs anew after each answer.
 */
export function interactionPolicy({ interactionPolicy: { base, Check, Prompt }, errors }: Library): LibraryPrompt[] {
  const login = base().get('login');
  login.checks.add(
    new Check(
      'acr_values',
      'the user must authenticate with more factors',
      'unmet_authentication_requirements',
      needsMoreFactors,
    ),
  );
  login.checks.add(
    new Check('organization_rules', 'the organization does not accept the session', 'login_required', (ctx) => {
      const { choice } = currentRequest();
      if (choice?.unmetRule === 'network')
        throw new errors.AccessDenied('the organization does not allow access from this network');
      return choice?.unmetRule !== undefined && !ctx.oidc.result?.login;
    }),
  );
  const organization = new Prompt(
    { name: 'organization' },
    new Check('organization_missing', 'the user must choose an organization', 'interaction_required', ({ oidc }) => {
      const { choice } = currentRequest();
      if (!oidc.session.accountId || choice?.organization) return false;
      if (!choice || choice.candidates.length === 0)
        throw new errors.AccessDenied(
          oidc.params['organization'] === undefined
            ? 'the user has no access to an organization of this client'
            : 'the organization does not exist, or the user or the client has no access to it',
        );
      return true;
    }),
  );
  const approval = new Prompt(
    { name: 'approval' },
    new Check(
      'application_unapproved',
      'an owner of the organization must approve the application',
      'interaction_required',
      () => {
        const { choice, foreignResource } = currentRequest();
        if (foreignResource !== undefined)
          throw new errors.InvalidTarget('the resource does not belong to the organization of the sign-in');
        if (choice?.obstacle === 'not_allowed')
          throw new errors.AccessDenied(
            'the organization does not allow applications that describe or register themselves in this way',
          );
        return choice?.obstacle !== undefined;
      },
    ),
  );
  return [
    new Prompt({ name: 'create', requestable: true }),
    login,
    new Prompt({ name: 'select_account', requestable: true }),
    organization,
    approval,
    consentPrompt(base().get('consent'), Check),
  ];
}

/** The remembered grant decides (`loadExistingGrant`). Skips the question where the owner of the client decided so. */
function consentPrompt(consent: LibraryPrompt, Check: Library['interactionPolicy']['Check']): LibraryPrompt {
  for (const reason of ['consent_prompt', 'native_client_prompt', 'rar_prompt']) consent.checks.remove(reason);
  consent.checks.add(
    new Check('consent_prompt', 'consent prompt was not resolved', 'consent_required', ({ oidc }) =>
      oidc.params['consent_implied'] === undefined ? oidc.prompts.has('consent') && oidc.promptPending('consent') : false,
    ),
  );
  consent.checks.add(
    new Check('native_client', 'another application could be behind the redirect URI', 'interaction_required', ({ oidc }) => {
      const client = currentRequest().clients.get(oidc.client.clientId);
      return client?.type === 'native' && isClaimable(oidc.params['redirect_uri']) && !oidc.result?.consent;
    }),
  );
  return consent;
}

/** The user must prove more if the session does not satisfy the request (RFC 9470). */
function needsMoreFactors({ oidc }: KoaContext): boolean {
  const { session } = currentRequest();
  return session !== null && isUsable(session) && lacksAcr(oidc.params['acr_values'], oidc.session.acr);
}
