import { momentText, singleLine } from '#mail';
import { accountField, type FormRefusal, formPage, newPasswordFields, tokenField } from '../pages/page-layout.js';
import type { InvitationOffer } from './invitation-acceptance.service.js';

/** Where the form goes: beside the page itself, whatever path a proxy serves it under. */
const ACTION = 'accept-invitation';

/** The form in which an invited person sets a password. */
export function invitationForm(offer: InvitationOffer, token: string, nonce: string, refusal?: FormRefusal): string {
  const { email, organizationName, expiresAt, rules } = offer;
  const body = `<p>Set a password to activate your account. The link that brought you here works once, until ${momentText(expiresAt)}.</p>
<form method="post" action="${ACTION}">
${tokenField(token)}
${accountField(email)}
${newPasswordFields(rules, refusal !== undefined)}
<p><button type="submit">Set password and join</button></p>
</form>`;
  return formPage({ heading: `Join ${singleLine(organizationName)}`, body, refusal }, nonce, offer);
}
