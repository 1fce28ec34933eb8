import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { made } from '../support/organizations.js';
import type { ReceivedRequest, Receiver } from '../support/receiver.js';
import { seedDeliveries } from '../support/seeded-deliveries.js';
import { signedIn } from '../support/signed-in.js';
import { expectAccessible, openPage, picture } from '../support/web.js';
import { webhookPages } from '../support/webhook-pages.js';

const API = '/v1/organizations/acme/webhooks';
const SAMPLES = join(import.meta.dirname, '../../apps/web/src/dashboard/webhooks/signing/samples');
const run = promisify(execFile);

const site = webhookPages(() => ({ status: 200, body: '{"taken":true}' }));
const { app, button, dialog } = site;

let page: Page;
let receiver: Receiver;
let base: string;
beforeAll(() => {
  ({ page, receiver, base } = site);
});

/** The ID of a webhook with all user events. */
let id: string;
let secret: string;

const webhook = async (of = id) => (await app.api.platform.get(`${API}/${of}`).expect(200)).body.data;
const createUser = (name: string) =>
  app.api.platform.post('/v1/organizations/acme/users', { email: `${name}@example.com` }).expect(201);

describe('the webhook settings page', () => {
  beforeAll(async () => {
    const filter = { status: { $ne: 'deleted' } };
    const headers = { authorization: 'Bearer abc' };
    const body = { name: 'Billing', url: `${receiver.url}hooks`, events: ['user.*'], headers, filter };
    ({ id, secret } = await made(app, API, body));
  });

  it('keeps the values of masked headers', async () => {
    await page.goto(`${base}/${id}/settings`);
    await page.getByLabel('Name', { exact: true }).fill('Invoices');
    await page.getByLabel('Rate limit').fill('50');
    await button('Add header').click();
    await page.getByLabel('Header name').last().fill('x-team');
    await page.getByLabel('Header value').last().fill('billing');
    await page.getByText('Unsaved changes').waitFor();
    await expectAccessible(page);
    await button('Save').click();
    await page.getByText('Webhook saved. Changes apply from the next delivery.').waitFor();
    expect(await webhook()).toMatchObject({
      name: 'Invoices',
      rateLimit: 50,
      headers: { authorization: '********', 'x-team': '********' },
    });
    const before = receiver.requests.length;
    await createUser('first');
    const sent = (await receiver.waitFor(before + 1, 20_000)).at(-1)!;
    expect(sent.headers).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'billing' });
  });

  it('replays skipped events after the webhook is enabled', async () => {
    await button('Disable webhook').click();
    await dialog().getByText('recorded with the status “Skipped”').waitFor();
    await dialog().getByRole('button', { name: 'Disable webhook' }).click();
    await page.getByText('Disabled manually').waitFor();
    await expectAccessible(page);
    await createUser('second');
    await createUser('third');
    await page.getByRole('alert').getByRole('button', { name: 'Enable webhook', exact: true }).click();
    await page.getByText('2 events were skipped while this webhook was disabled').waitFor();
    const before = receiver.requests.length;
    await page.getByRole('link', { name: 'View skipped events' }).click();
    await page.getByText(/^Incomplete: 2 of \d+ events not delivered$/).waitFor();
    await expectAccessible(page);
    await button('Replay 2 events').click();
    await dialog().getByText('2 of 2 sent').waitFor();
    await dialog().getByText('All events were delivered.').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await page.getByText(/Complete: all \d+ events were delivered/).waitFor();
    expect(receiver.requests.length - before).toBe(2);
  });
});

describe('the signing page', () => {
  const signatureLines = (headers: ReceivedRequest['headers']): string =>
    ['service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
      .map((name) => `${name}: ${String(headers[name])}`)
      .join('\n');
  const verify = async (headers: string, body: string, usedSecret: string) => {
    await page.getByRole('textbox', { name: 'Headers' }).fill(headers);
    await page.getByRole('textbox', { name: 'Body' }).fill(body);
    await page.getByRole('textbox', { name: 'Secret', exact: true }).fill(usedSecret);
    await button('Verify signature').click();
    // An edit of a field removes the previous result.
    return (await page.locator('[aria-live]').getByRole('alert').textContent()) ?? '';
  };

  it('reveals the secret only on request', async () => {
    await page.goto(`${base}/${id}/signing`);
    await button('Reveal secret').click();
    await dialog().getByText(secret).waitFor();
    await button('I’ve stored it securely').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    await expectAccessible(page);
  });

  it('names the cause of an invalid signature', async () => {
    const { headers, body } = receiver.requests.at(-1)!;
    const lines = signatureLines(headers);
    const text = body.toString();
    const sent: string[] = [];
    const note = (request: Request) => void (request.method() === 'GET' || sent.push(request.url()));
    page.on('request', note);
    const hex = createHmac('sha256', secret).update(`1700000000.${text}`).digest('hex');

    expect(await verify(lines, text, secret)).toMatch(/^Valid/);
    expect(await verify(String(headers['service-signature']), text, secret)).toMatch(/^Valid/);
    expect(await verify(`service-signature: t=1700000000,v1=${hex}`, text, secret)).toContain('too old');
    expect(await verify(lines, text.replace('example.com', 'example.org'), secret)).toContain('The body was changed');
    expect(await verify(lines, JSON.stringify(JSON.parse(text), undefined, 2), secret)).toContain('parsed and serialized again');
    expect(await verify(lines, `${text}\n`, secret)).toContain('line break at the end');
    expect(await verify(lines, text, `${secret} `)).toContain('an extra space or line break');
    expect(await verify(lines, text, secret.slice('whsec_'.length))).toContain('missing its prefix');
    expect(await verify(lines, text, 'whsec_of-another-webhook')).toContain('Wrong secret');
    expect(await verify('content-type: application/json', text, secret)).toContain('No signature in these headers');
    expect(await verify('service-signature: t=1700000000,v1=abc', text, secret)).toContain('can’t be read');
    expect(sent).toEqual([]);
    page.off('request', note);
  });

  it('shows the first difference of a changed body', async () => {
    const [delivery] = (await app.api.platform.get(`${API}/${id}/deliveries`).expect(200)).body.data;
    await page.goto(`${base}/${id}/deliveries/${delivery.id}`);
    await page.getByRole('link', { name: 'Verify signature' }).click();
    await page.getByText('The headers and the body are from attempt').waitFor();
    await page.getByRole('textbox', { name: 'Secret', exact: true }).fill(secret);
    await button('Verify signature').click();
    await page.getByText('The signature matches this secret and this body').waitFor();
    await expectAccessible(page);
    await picture(page, 'webhook-signing');
    const body = await page.getByRole('textbox', { name: 'Body' }).inputValue();
    await page.getByRole('textbox', { name: 'Body' }).fill(body.replace('"id"', '"Id"'));
    await button('Verify signature').click();
    await page.getByText('The first difference is at character 3.').waitFor();
  });

  it('shows working code samples for receivers', async () => {
    const { headers, body } = receiver.requests.at(-1)!;
    const folder = mkdtempSync(join(tmpdir(), 'samples-'));
    const header = String(headers['service-signature']);
    const input = JSON.stringify({ header, body: body.toString('base64'), secret });
    writeFileSync(join(folder, 'input.json'), input);
    for (const [language, sample] of Object.entries({
      Node: 'verify.mjs',
      Python: 'verify.py',
      Go: 'verify.go',
      PHP: 'verify.php',
    })) {
      await page.getByRole('tab', { name: language }).click();
      const text = (await page.getByRole('region', { name: language }).textContent()) ?? '';
      expect(text.trim()).toBe(readFileSync(join(SAMPLES, sample), 'utf8').trim());
      writeFileSync(join(folder, sample), text);
    }
    const programs = {
      'node.mjs': `import { readFileSync } from 'node:fs';
        import { isGenuine } from './verify.mjs';
        const { header, body, secret } = JSON.parse(readFileSync('input.json', 'utf8'));
        const check = (bytes, key) => isGenuine({ 'service-signature': header }, bytes, key);
        const bytes = Buffer.from(body, 'base64');
        console.log(check(bytes, secret), check(Buffer.concat([bytes, Buffer.from(' ')]), secret), check(bytes, 'other'));`,
      'python.py': `import base64, json
from verify import is_genuine
given = json.load(open("input.json"))
body = base64.b64decode(given["body"])
check = lambda body, secret: str(is_genuine({"service-signature": given["header"]}, body, secret)).lower()
print(check(body, given["secret"]), check(body + b" ", given["secret"]), check(body, "other"))`,
    };
    for (const [file, text] of Object.entries(programs)) writeFileSync(join(folder, file), text);
    for (const [program, file] of [
      [process.execPath, 'node.mjs'],
      ['python3', 'python.py'],
    ] as const) {
      const { stdout } = await run(program, [file], { cwd: folder });
      expect([program, stdout.trim()]).toEqual([program, 'true false false']);
    }
  });

  it('rotates the secret with a transition period', async () => {
    await button('Rotate secret').click();
    await dialog().getByText('Add both secrets to your receiver').waitFor();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Rotate secret', exact: true }).click();
    await dialog().getByText('Next secret (becomes the current secret on').waitFor();
    const [current, next] = await dialog().locator('code').allTextContents();
    expect(current).toBe(secret);
    expect(next).not.toBe(secret);
    await button('I’ve stored it securely').click();
    const before = receiver.requests.length;
    await createUser('fourth');
    const { headers, body } = (await receiver.waitFor(before + 1, 20_000)).at(-1)!;
    const lines = signatureLines(headers);
    expect(await verify(lines, body.toString(), secret)).toMatch(/^Valid/);
    expect(await verify(lines, body.toString(), next!)).toContain('This secret is not in effect yet');
  });
});

describe('the webhook health page', () => {
  beforeAll(async () => {
    const { owner, organizationId } = site;
    for (const [name, host, events, deliveries] of [
      ['Audit archive', 'archive', ['*'], { count: 150, failing: 0.5, failed: 0.2, typicalMs: 900 }],
      ['CRM', 'crm', ['user.created', 'user.updated', 'user.deleted'], { count: 120, failing: 0, failed: 0, typicalMs: 45 }],
      ['Web shop', 'shop', ['user.*', 'role.assigned'], { count: 600, failing: 0.07, failed: 0.01, typicalMs: 80 }],
    ] as const) {
      const url = `https://${host}.acme.example/hooks`;
      const { id: webhookId } = await made(app, API, { name, url, events });
      await seedDeliveries(app, { tenantId: owner.tenantId, organizationId, url, webhookId }, { ...deliveries, hours: 168 });
      if (name === 'CRM') await app.api.platform.patch(`${API}/${webhookId}`, { enabled: false }).expect(200);
    }
    await app.database.query(
      `UPDATE webhooks SET enabled = false, disabled_by = 'failures', disabled_at = now() - interval '5 hours' WHERE name = 'Audit archive'`,
    );
  });

  it('lists webhooks with the success rate', async () => {
    await page.goto(base);
    const row = page.getByRole('row', { name: /Audit archive/ });
    await row.getByText('Disabled: failures').waitFor();
    await row.getByText('5 hours ago').waitFor();
    await page.getByRole('row', { name: /CRM/ }).getByText('Disabled').waitFor();
    await page.getByRole('row', { name: /CRM/ }).getByText('100%').waitFor();
    await expectAccessible(page);
  });

  it('shows the data of the charts as a table', async () => {
    await page.getByRole('link', { name: 'Web shop' }).click();
    await page.getByText('7 days', { exact: true }).click();
    await page.waitForURL(/range=7d/);
    await page.getByRole('img', { name: /attempts succeeded and/ }).waitFor();
    await page.getByRole('img', { name: /95th percentile/ }).waitFor();
    await button('Data as table').click();
    await page.getByRole('table', { name: 'Data as table' }).waitFor();
    await expectAccessible(page);
    await button('Data as table').click();
    await page.mouse.move(0, 0);
    await picture(page, 'webhook');
    await page.getByRole('link', { name: 'Reconciliation' }).click();
    await page.getByText(/Incomplete/).waitFor();
    await picture(page, 'reconciliation');
    await page.goBack();
    await page.waitForURL(/range=7d/);
  });

  it('enables a webhook that was disabled after failures', async () => {
    await createUser('fifth');
    await page.goto(base);
    await page.getByRole('link', { name: 'Audit archive' }).click();
    await page.getByText('Disabled because all deliveries failed for several days').waitFor();
    await page.getByText(/events? (is|are) pending and (is|are) not lost/).waitFor();
    await expectAccessible(page);
    await button('Enable webhook').click();
    await page.getByText('Disabled because all deliveries failed').waitFor({ state: 'detached' });
    expect(await webhook(page.url().split('/').at(-1)!.split('?')[0])).toMatchObject({ enabled: true, disabledAt: null });
  });
});

it('the webhook page shows an error for a nonexistent webhook', async () => {
  await page.goto(`${base}/wh_01kf2bd7wvf0q9t6y3n8m1s4rx`);
  await page.getByRole('alert').waitFor();
  const other = await openPage(app, await signedIn(app, site.organizationId, { roles: ['viewer'] }));
  await other.goto(`${base}/${id}`);
  await other.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
  expect(await other.getByRole('button', { name: /Send|Replay/ }).count()).toBe(0);
  await other.goto(`${base}/${id}/settings`);
  await other.getByText('You can view the webhooks of this organization but not change them.').waitFor();
});

it('the webhook page deletes a webhook after the user types the name', async () => {
  await page.goto(`${base}/${id}/settings`);
  await button('Delete webhook').click();
  await dialog().getByLabel(/Type/).fill('Invoices');
  await dialog().getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await app.api.platform.get(`${API}/${id}`).expect(404);
});
