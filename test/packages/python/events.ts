import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { realDelivery, SECRET } from '../deliveries.js';
import { FOLDER, type InstalledPackage } from './installed-package.js';

/** Declares tests of the event stream and of webhooks. */
export function testEvents(installed: () => InstalledPackage): void {
  it('receives events without gaps or duplicates after a lost connection', async () => {
    installed().proxy.plan();
    await installed().python.run(`
      followed = []
      def follow():
          for event in unreliable.follow_events(org, type_="role.created"):
              followed.append(parse_event(event).data.description)
      threading.Thread(target=follow, daemon=True).start()
    `);
    const createRole = (name: string, description: string): Promise<unknown> =>
      installed().python.run(`identity.create_role(org, name="${name}", description=${JSON.stringify(description)})`);
    const followed = async (count: number): Promise<string[]> => {
      const descriptions = await installed().python.run<string[]>('result = followed');
      return descriptions.length >= count ? descriptions : sleep(50).then(() => followed(count));
    };
    while (installed().proxy.seen.length === 0) await sleep(20);
    // The service sends the current position before the first event.
    await sleep(500);
    installed().proxy.cut();
    await createRole('first', 'while disconnected');
    await followed(1);
    await createRole('second', 'Zoë 🙂');
    await followed(2);
    installed().proxy.cut();
    await createRole('third', 'after a second loss');
    expect(await followed(3)).toEqual(['while disconnected', 'Zoë 🙂', 'after a second loss']);
    expect(installed().proxy.seen.some(({ headers }) => headers['last-event-id'])).toBe(true);
  });

  it('ends the stream at the time of the until option', async () => {
    const outcome = await installed().python.run(`
      year = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
      now = datetime.datetime.now(datetime.UTC)
      events = [event.type_ for event in identity.follow_events(org, since=year, until=now, type_="organization.*")]
      result = [events, failure(lambda: next(identity.follow_events("nowhere")))["code"]]
    `);
    expect(outcome).toEqual([['organization.created'], 'organization_not_found']);
  });

  it('returns a typed event for a delivery', async () => {
    const delivery = await realDelivery(installed().app);
    writeFileSync(join(FOLDER, 'user-created.json'), delivery.body);
    const outcome = await installed().python.run(`
      body = open(${JSON.stringify(join(FOLDER, 'user-created.json'))}, "rb").read()
      headers = json.loads(${JSON.stringify(JSON.stringify(delivery.headers))})
      webhooks = Webhooks(["the next secret", "${SECRET}"])
      event = webhooks.verify(body, headers)
      def at(seconds):
          with unittest.mock.patch("time.time", return_value=time.time() + seconds):
              return webhooks.verify(body, headers).type_
      upper_case = {name.title(): value for name, value in headers.items()}
      result = [
          [type(event).__name__, event.data.first_name, type(webhooks.verify(body.decode(), upper_case)).__name__],
          failure(lambda: webhooks.verify(body + b" ", headers))["code"],
          failure(lambda: Webhooks("another secret").verify(body, headers))["code"],
          [at(290), failure(lambda: at(302))["code"]],
          failure(lambda: webhooks.verify(body, {}))["code"],
      ]
    `);
    expect(outcome).toEqual([
      ['UserCreatedEvent', 'Zoë 🙂', 'UserCreatedEvent'],
      'signature_mismatch',
      'signature_mismatch',
      ['user.created', 'timestamp_out_of_tolerance'],
      'signature_missing',
    ]);
  });

  it('returns events of unknown types without typed data', async () => {
    const outcome = await installed().python.run(`
      def verified(body, header=None):
          webhooks = Webhooks("a secret")
          headers = webhooks.sign(body, "evt_1")
          return webhooks.verify(body, {name: value for name, value in headers.items() if name != header})
      event = verified('{"id":"evt_1","type":"user.teleported","data":{"to":"Mars"}}')
      own, standard = (verified('{"id":"evt_1","type":"x"}', name) for name in ("webhook-signature", "service-signature"))
      result = [
          [type(event).__name__, event.id, event.type_, event.data["to"], own.id, standard.id],
          failure(lambda: verified('{"id":"evt_1","type":"user.created","data":{}}'))["code"],
          failure(lambda: verified("[]"))["code"],
      ]
    `);
    expect(outcome).toEqual([
      ['UntypedEvent', 'evt_1', 'user.teleported', 'Mars', 'evt_1', 'evt_1'],
      'body_invalid',
      'body_invalid',
    ]);
    await expect(installed().python.run('Webhooks([])')).rejects.toThrow(/The secret of the webhook is missing/);
  });
}
