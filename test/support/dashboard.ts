import type { Page } from 'playwright-core';
import type { TestApp } from './app.js';
import { PASSWORD } from './sign-in.js';

/** Opens the dashboard as an operator with a one-time link. */
export async function enterAsOperator(app: TestApp, page: Page): Promise<void> {
  await page.goto(await operatorLink(app));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Creates a one-time link for operators and returns its path. */
export async function operatorLink(app: TestApp): Promise<string> {
  const { url } = (await app.api.platform.post('/v1/auth/operator-links').expect(201)).body.data;
  const { pathname, hash } = new URL(url);
  return pathname + hash;
}

/** Sets the session cookie of a new session of the user in the browser of `page`. */
export async function enterAs(app: TestApp, page: Page, organization: string, email: string): Promise<void> {
  const response = await page.context().request.post(`${app.url}/v1/auth/login`, {
    data: { organization, email, password: PASSWORD },
    headers: { 'session-transport': 'cookie', 'sec-fetch-site': 'same-origin' },
  });
  if (!response.ok()) throw new Error(`The sign-in responded with ${response.status()}: ${await response.text()}`);
}
