import type { Page } from 'playwright-core';
import type { TestApp } from './app.js';
import { PASSWORD } from './sign-in.js';

/** Opens the dashboard as an operator, with a one-time link. */
export async function enterAsOperator(app: TestApp, page: Page): Promise<void> {
  await page.goto(await operatorLink(app));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** The path of a one-time link, as the service's start and `npm run dashboard-link` print it. */
export async function operatorLink(app: TestApp): Promise<string> {
  const { url } = (await app.api.platform.post('/v1/auth/operator-links').expect(201)).body.data;
  const { pathname, hash } = new URL(url);
  return pathname + hash;
}

/** Signs a user in to the browser that the page is in, without the pages for it. */
export async function enterAs(app: TestApp, page: Page, organization: string, email: string): Promise<void> {
  const answer = await page.context().request.post(`${app.url}/v1/auth/login`, {
    data: { organization, email, password: PASSWORD },
    headers: { 'session-transport': 'cookie', 'sec-fetch-site': 'same-origin' },
  });
  if (!answer.ok()) throw new Error(`The sign-in gave ${answer.status()}: ${await answer.text()}`);
}
