import { buttonColors, escapeHtml, pictureAddress, singleLine } from '#mail';

/** How a page looks: that of the organization it is about. */
export interface PageLook {
  readonly organizationName?: string | undefined;
  readonly primaryColor?: string | null | undefined;
  readonly logo?: string | null | undefined;
}

/** What a form shows again after a refusal; passwords are never sent back. */
export interface FormRefusal {
  readonly message: string;
  /** One sentence for each broken rule. */
  readonly problems: readonly string[];
}

/** A form of a page, as HTML that is safe already. */
export interface PageForm {
  readonly heading: string;
  readonly body: string;
  readonly refusal?: FormRefusal | undefined;
}

/** A page with a form in it. It works without any script. */
export function formPage({ heading, body, refusal }: PageForm, nonce: string, look: PageLook): string {
  return page(refusal ? `Error: ${heading}` : heading, heading, `${refusal ? refusalHtml(refusal) : ''}${body}`, nonce, look);
}

/** A page with nothing more to do, or nothing that can be done here. */
export function noticePage(heading: string, text: string, nonce: string, look: PageLook = {}): string {
  return page(heading, heading, `<p>${escapeHtml(singleLine(text))}</p>`, nonce, look);
}

/** The fields in which a password is chosen: the rules, and the password twice. */
export function newPasswordFields(rules: readonly string[], isRefused: boolean): string {
  const invalid = isRefused ? ' aria-invalid="true"' : '';
  const describedBy = isRefused ? 'problems rules' : 'rules';
  return `<div id="rules"><p>The password needs:</p><ul>${rules.map((rule) => `<li>${escapeHtml(rule)}</li>`).join('')}</ul></div>
<p><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="new-password" required${invalid} aria-describedby="${describedBy}"></p>
<p><label for="repeated">The same password again</label><input id="repeated" name="repeated" type="password" autocomplete="new-password" required${invalid}></p>`;
}

/** The address of the account that the page is about, for people and for their password managers. */
export const accountField = (email: string): string =>
  `<p><label for="email">E-mail address</label><input id="email" type="email" value="${escapeHtml(email)}" autocomplete="username" readonly></p>`;

/** Carries the token of the link along with the form. */
export const tokenField = (token: string): string => `<input type="hidden" name="token" value="${escapeHtml(token)}">`;

const refusalHtml = ({ message, problems }: FormRefusal): string =>
  `<div id="problems" class="refusal" role="alert"><p>${escapeHtml(message)}</p>${
    problems.length > 0 ? `<ul>${problems.map((problem) => `<li>${escapeHtml(problem)}</li>`).join('')}</ul>` : ''
  }</div>
`;

function page(title: string, heading: string, body: string, nonce: string, look: PageLook): string {
  const picture = pictureAddress(look.logo);
  const alt = escapeHtml(singleLine(look.organizationName ?? ''));
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${styleWith(look)}</style>
</head>
<body>
<main>
${picture ? `<p><img src="${escapeHtml(picture)}" alt="${alt}" height="40"></p>\n` : ''}<h1>${escapeHtml(heading)}</h1>
${body}
</main>
</body>
</html>
`;
}

function styleWith({ primaryColor }: PageLook): string {
  const { background, color } = buttonColors(primaryColor);
  return `body{margin:0;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;color:#1c1c1e;background:#fff}
main{max-width:30rem;margin:0 auto}h1{font-size:1.5rem;line-height:1.3}img{max-width:100%}label{display:block;font-weight:bold}
input{box-sizing:border-box;width:100%;padding:.6rem;font:inherit;color:inherit;background:#fff;border:1px solid #6e6e73;border-radius:6px}
input[readonly]{background:#f2f2f7}input[aria-invalid]{border-color:#b3261e}
button{padding:.75rem 1.25rem;font:inherit;font-weight:bold;border:1px solid #1c1c1e;border-radius:6px;background:${background};color:${color};cursor:pointer}
input:focus-visible,button:focus-visible{outline:3px solid #1a4fb4;outline-offset:2px}
.refusal{padding:.25rem 1rem;border-left:4px solid #b3261e;background:#fdecea}`;
}
