import type { Page } from 'playwright-core';
import type { TestApp } from './app.js';

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
