import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Request } from 'playwright-core';
import { made, read } from '../support/organizations.js';
import type { ReceivedRequest, ReceiverResponse } from '../support/receiver.js';
import { seedDeliveries } from '../support/seeded-deliveries.js';
import { expectAccessible, picture } from '../support/web.js';
import { webhookPages } from '../support/webhook-pages.js';

const API = '/v1/organizations/acme/webhooks';
const SAMPLES = join(import.meta.dirname, '../../apps/web/src/dashboard/webhooks/signing/samples');
const run = promisify(execFile);

const HTML =
  '<html><body onload="window.hostile = 1"><script>window.hostile = 1</script><img src=x onerror="window.hostile = 1"></body></html>';
const CONTROLS = 'before\u0000\u0007\u001b[31mred\u202egnihton\u2066 after';
const LONG = 'x'.repeat(100_000);

function respond({ path }: ReceivedRequest): ReceiverResponse {
  const responses: Record<string, ReceiverResponse> = {
    '/hooks': { status: 200, body: '{"taken":true}' },
    '/html': { status: 500, body: HTML, headers: { 'content-type': 'text/html' } },
    '/controls': { status: 500, body: CONTROLS },
    '/long': { status: 500, body: LONG },
  };
  return responses[path] ?? { status: 404, body: `Cannot POST ${path}` };
}

const site = webhookPages(respond);
const { app, button, dialog, page, receiver } = site;

/** The ID of a webhook with all user events. */
let id: string;
let secret: string;

const webhook = (of = id) => read(app, `${API}/${of}`);
const make = async (body: object): Promise<string> => (await made(app, API, { events: ['user.created'], ...body })).id;
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
    await page.goto(`${site.base}/${id}/settings`);
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

  it('changes the format, and shows deliveries in it', async () => {
    await page.goto(`${site.base}/${id}/settings`);
    await page.getByText('The event as in the API reference.').waitFor();
    await page.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'CloudEvents' }).click();
    await page.getByText('A CloudEvents 1.0 event with the event as its data.').waitFor();
    await expectAccessible(page);
    await button('Save').click();
    await page.getByText('Webhook saved. Changes apply from the next delivery.').waitFor();
    expect(await webhook()).toMatchObject({ format: 'cloudevents', headers: { authorization: '********' } });
    const before = receiver.requests.length;
    await createUser('formatted');
    const sent = (await receiver.waitFor(before + 1, 20_000)).at(-1)!;
    expect(sent.headers['content-type']).toBe('application/cloudevents+json');

    const [{ id: deliveryId }] = await read(app, `${API}/${id}/deliveries?limit=1`);
    await page.goto(`${site.base}/${id}/deliveries/${deliveryId}`);
    await button('Request').click();
    await page.getByText('Sent in the format CloudEvents.').waitFor();
    await page.getByText('"specversion": "1.0"').waitFor();
    await expectAccessible(page);
    await app.api.platform.patch(`${API}/${id}`, { format: 'service' }).expect(200);
    await page.goto(`${site.base}/${id}/settings`);
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
    await page.goto(`${site.base}/${id}/signing`);
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
    const [delivery] = await read(app, `${API}/${id}/deliveries`);
    await page.goto(`${site.base}/${id}/deliveries/${delivery.id}`);
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
    for (const [language, sample] of [
      ['Node', 'verify.mjs'],
      ['Python', 'verify.py'],
      ['Go', 'verify.go'],
      ['PHP', 'verify.php'],
    ] as const) {
      await page.getByRole('tab', { name: language }).click();
      const text = (await page.getByRole('region', { name: language }).textContent()) ?? '';
      expect(text.trim()).toBe(readFileSync(join(SAMPLES, sample), 'utf8').trim());
    }
    const { headers, body } = receiver.requests.at(-1)!;
    const input = JSON.stringify({ header: headers['service-signature'], body: body.toString('base64') });
    const [node, python] = [
      `import { isGenuine } from './verify.mjs';
       const { header, body } = ${input};
       const bytes = Buffer.from(body, 'base64');
       const check = (bytes, key) => isGenuine({ 'service-signature': header }, bytes, key);
       console.log(check(bytes, '${secret}'), check(Buffer.concat([bytes, Buffer.from(' ')]), '${secret}'), check(bytes, 'other'));`,
      `import base64
from verify import is_genuine
given = ${input}
body = base64.b64decode(given["body"])
check = lambda body, secret: is_genuine({"service-signature": given["header"]}, body, secret)
print(check(body, "${secret}"), check(body + b" ", "${secret}"), check(body, "other"))`,
    ];
    const options = { cwd: SAMPLES, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } };
    expect((await run(process.execPath, ['--input-type=module', '--eval', node], options)).stdout).toBe('true false false\n');
    expect((await run('python3', ['-c', python], options)).stdout).toBe('True False False\n');
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
    const { organizationId } = site;
    for (const [name, host, events, deliveries] of [
      ['Audit archive', 'archive', ['*'], { count: 150, failing: 0.5, failed: 0.2, typicalMs: 900 }],
      ['CRM', 'crm', ['user.created', 'user.updated', 'user.deleted'], { count: 120, failing: 0, failed: 0, typicalMs: 45 }],
      ['Web shop', 'shop', ['user.*', 'role.assigned'], { count: 600, failing: 0.07, failed: 0.01, typicalMs: 80 }],
    ] as const) {
      const url = `https://${host}.acme.example/hooks`;
      const { id: webhookId } = await made(app, API, { name, url, events });
      await seedDeliveries(app, { tenantId: organizationId, organizationId, url, webhookId }, { ...deliveries, hours: 168 });
      if (name === 'CRM') await app.api.platform.patch(`${API}/${webhookId}`, { enabled: false }).expect(200);
    }
    await app.database.query(
      `UPDATE webhooks SET enabled = false, disabled_by = 'failures', disabled_at = now() - interval '5 hours' WHERE name = 'Audit archive'`,
    );
  });

  it('lists webhooks with the success rate', async () => {
    await page.goto(site.base);
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
    await page.getByText('Incomplete').waitFor();
    await picture(page, 'reconciliation');
    await page.goBack();
    await page.waitForURL(/range=7d/);
  });

  it('enables a webhook that was disabled after failures', async () => {
    await createUser('fifth');
    await page.goto(site.base);
    await page.getByRole('link', { name: 'Audit archive' }).click();
    await page.getByText('Disabled because all deliveries failed for several days').waitFor();
    await page.getByText(/events? (is|are) pending and (is|are) not lost/).waitFor();
    await expectAccessible(page);
    await button('Enable webhook').click();
    await page.getByText('Disabled because all deliveries failed').waitFor({ state: 'detached' });
    expect(await webhook(page.url().split('/').at(-1)!.split('?')[0])).toMatchObject({ enabled: true, disabledAt: null });
  });
});

it('the webhook page deletes a webhook after the user types the name', async () => {
  await page.goto(`${site.base}/${id}/settings`);
  await button('Delete webhook').click();
  await dialog().getByLabel(/Type/).fill('Invoices');
  await dialog().getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await app.api.platform.get(`${API}/${id}`).expect(404);
});

describe('a response body', () => {
  it.each([
    ['html', HTML],
    ['controls', 'before\u2400\u2407\u241b[31mred‹U+202E›gnihton‹U+2066› after'],
    ['long', LONG.slice(0, 16_384)],
  ])('is shown as text (%s)', async (path, expectedText) => {
    const id = await make({ name: path, url: `${receiver.url}${path}`, events: ['organization.created'] });
    const { body } = await app.api.platform.post(`${API}/${id}/test`, { eventType: 'user.created' }).expect(200);
    await page.goto(`${site.base}/${id}/deliveries/${body.deliveryId}`);
    const region = page.getByRole('region', { name: 'Body: Attempt 1' });
    await region.waitFor();
    // The service replaces NUL before the storage of the body.
    expect((await region.textContent())?.replace('\ufffd', '\u2400')).toBe(expectedText);
    expect(await region.locator('*').count()).toBe(0);
    expect(await page.evaluate('window.hostile')).toBeUndefined();
    await expectAccessible(page);
    if (path === 'long') await page.getByText('Only the first 16 KB are stored.').waitFor();
    await page.goto(`${site.base}/${id}`);
    await button('Send test event').click();
    await dialog().getByRole('button', { name: 'Send test event', exact: true }).click();
    await dialog().getByText('The receiver did not accept the event').waitFor();
    expect(await page.evaluate('window.hostile')).toBeUndefined();
  });
});

it('a replay of deliveries sends nothing while the webhook is disabled', async () => {
  const id = await make({ name: 'Shop', url: `${receiver.url}hooks` });
  const before = receiver.requests.length;
  await createUser('bea');
  await receiver.waitFor(before + 1, 20_000);
  await app.api.platform.patch(`${API}/${id}`, { enabled: false }).expect(200);
  await page.goto(`${site.base}/${id}`);
  await page.getByText('Disabled manually').waitFor();
  await button('Replay deliveries').click();
  await dialog().getByLabel('All, including delivered').check();
  await button('Count events').click();
  await dialog().getByText('You can count events').waitFor();
  expect(await button('Replay 1 event').isDisabled()).toBe(true);
});

describe('a long delivery list', () => {
  it('keeps the filters and page in the URL', async () => {
    const id = await make({ name: 'Archive', url: `${receiver.url}hooks`, events: ['role.created'] });
    const { organizationId } = site;
    const seeded = { tenantId: organizationId, organizationId, webhookId: id, url: 'https://archive.acme.example/in' };
    await seedDeliveries(app, seeded, { count: 300, hours: 72, failing: 0.25, failed: 0.15, typicalMs: 70 });
    await page.goto(`${site.base}/${id}/deliveries`);
    await page.getByText('300 · Page 1 of 15').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.waitForURL(/status=failed/);
    await page.getByText(/^\d\d · Page 1 of [2-4]$/).waitFor();
    await page.getByRole('button', { name: '2', exact: true }).click();
    await page.waitForURL(/page=2/);
    await page.reload();
    await page.getByText(/Page 2 of [2-4]$/).waitFor();
    expect(await page.getByRole('switch', { name: 'Live updates' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: 'user.login', exact: true }).click();
    await page.waitForURL(/eventType=user.login&?/);
    await expectAccessible(page);
    await page.getByLabel('From').fill('2020-01-01T00:00');
    await page.getByLabel('Until').fill('2020-01-02T00:00');
    await page.getByRole('heading', { name: 'No deliveries match' }).waitFor();
    await button('Clear filters').click();
    await page.getByText('300 · Page 1 of 15').waitFor();
  });
});

it('the pages of a webhook and a delivery show an error for a nonexistent ID', async () => {
  const id = await make({ name: 'Empty', url: `${receiver.url}hooks` });
  for (const path of ['wh_01kf2bd7wvf0q9t6y3n8m1s4rx', `${id}/deliveries/dlv_01kf2bgxk4e3s9w5t8p1c7m6zn`]) {
    await page.goto(`${site.base}/${path}`);
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
  }
});
