import type { Page } from 'playwright-core';
import type { TestApp } from './app.js';
import { numberedEvents } from './event-log.js';
import type { TestBody } from './http-client.js';
import { made, newOrganization } from './organizations.js';
import { signedIn } from './signed-in.js';

/** Creates "Northwind Europe" as a child of "Northwind", with the active member Ada Lovelace. */
export async function newTeam(app: TestApp): Promise<Record<'parent' | 'organization' | 'ada', TestBody>> {
  const parent = await newOrganization(app, { name: 'Northwind' });
  const organization = await newOrganization(app, { name: 'Northwind Europe', parentId: parent.id });
  const users = `/v1/organizations/${organization.id}/users`;
  const ada = await made(app, users, { email: 'ada@northwind.example', displayName: 'Ada Lovelace', roles: ['member'] });
  await app.api.platform.post(`${users}/${ada.id}/activate`).expect(200);
  return { parent, organization, ada };
}

/** Creates the users Ada Lovelace, a member, and Grace Hopper, an administrator. */
export async function addAdaAndGrace(app: TestApp, organizationId: string): Promise<void> {
  const users = `/v1/organizations/${organizationId}/users`;
  await made(app, users, { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' });
  await made(app, users, { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', roles: ['admin'] });
}

/** Returns the role of a member, or undefined if the organization has no such member. */
export async function roleOfMember(app: TestApp, organizationId: string, email: string): Promise<string | undefined> {
  const { body } = await app.api.platform.get(`/v1/organizations/${organizationId}/members`).expect(200);
  return body.data.find((member: { email: string }) => member.email === email)?.role;
}

/** Functions that find elements of the current page by their role. A name that is a string matches exactly. */
export const elementsOf = (page: () => Page) => ({
  button: (name: string | RegExp) => page().getByRole('button', { name, exact: typeof name === 'string' }),
  heading: (name: string | RegExp) => page().getByRole('heading', { level: 1, name, exact: typeof name === 'string' }),
  dialog: (name?: string) => page().getByRole('dialog', { name }),
  row: (name: string | RegExp) => page().getByRole('row', { name }),
});

/** Opens a page of the organization with the link in the navigation. */
export async function openArea(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Organization pages' }).getByRole('link', { name, exact: true }).click();
}

/** Requests break-glass access by keyboard. */
export async function requestBreakGlassAccess(page: Page, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Request break-glass access', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Send request' }).press('Enter');
}

/** Creates an organization with more events than one page of the event log shows. Its newest events are the creations of the users `user1` to `user60`. */
export async function organizationWithEvents(app: TestApp) {
  const organizationId: string = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
  const administrator = await signedIn(app, organizationId, { roles: ['admin'] });
  for (let number = 1; number <= 60; number += 1) await createLoggedUser(app, organizationId, `user${number}@example.com`);
  await numberedEvents(app);
  return { organizationId, administrator };
}

/** Creates a user whose event contains HTML. */
export async function createLoggedUser(app: TestApp, organizationId: string, email: string): Promise<void> {
  await made(app, `/v1/organizations/${organizationId}/users`, { email, firstName: '<b>Ada</b>' });
}
