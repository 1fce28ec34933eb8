import { momentText, singleLine } from '#mail';
import type { PasswordLinkOffer } from '../link-offer.js';
import { accountField, type FormRefusal, formPage, newPasswordFields, tokenField } from '../pages/page-layout.js';
import { policyRules } from '../passwords/password-policy-check.js';

/** Where the form goes: beside the page itself, whatever path a proxy serves it under. */
const ACTION = 'accept-invitation';

/** The form in which an invited person sets a password. */
export function invitationForm(offer: PasswordLinkOffer, token: string, nonce: string, refusal?: FormRefusal): string {
  const { email, organization, branding, expiresAt, passwordPolicy } = offer;
  const organizationName = organization.name;
  const body = `<p>Set a password to activate your account. The link that brought you here works once, until ${momentText(expiresAt)}.</p>
<form method="post" action="${ACTION}">
${tokenField(token)}
${accountField(email)}
${newPasswordFields(policyRules(passwordPolicy), refusal !== undefined)}
<p><button type="submit">Set password and join</button></p>
</form>`;
  return formPage({ heading: `Join ${singleLine(organizationName)}`, body, refusal }, nonce, { organizationName, ...branding });
}
