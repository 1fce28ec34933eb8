import { expect, it } from '@jest/globals';
import type { InstalledPackage } from './installed-package.js';

/** Declares tests of the methods of the client. */
export function testCalls(installed: () => InstalledPackage): void {
  it('creates, reads, updates and deletes a resource', async () => {
    const outcome = await installed().python.run(`
      made = identity.create_user(org, email="ada@example.com", first_name="Ada", metadata={"team": "engines"})
      etag = identity.http.get(f"/v1/organizations/{org}/users/{made.id}").headers["etag"]
      changed = identity.update_user(org, made.id, last_name="Lovelace", if_match=etag)
      late = failure(lambda: identity.update_user(org, made.id, last_name="Byron", if_match=etag))
      read = identity.get_user(org, made.id)
      deleted = identity.delete_user(org, made.id, permanent=True)
      missing = failure(lambda: identity.get_user(org, made.id))
      result = [made.status, changed.last_name, late["code"], read.metadata["team"], deleted, missing]
    `);
    const missing = { name: 'NotFoundError', status: 404, code: 'user_not_found', request_id: expect.stringMatching(/^req_/) };
    expect(outcome).toEqual(['pending', 'Lovelace', 'precondition_failed', 'engines', null, expect.objectContaining(missing)]);
  });

  it('iterates over all pages of a list', async () => {
    const outcome = await installed().python.run(`
      emails = [f"page-{index}@example.com" for index in range(7)]
      for email in emails:
          identity.create_user(org, email=email)
      users = identity.list_users(org, search="page-", limit=3)
      page = users.page()
      second = [user.email for user in identity.list_users(org, search="page-", limit=3, page=2)]
      members = [member.user_id for member in identity.list_members(org, limit=2)]
      result = {
          "all": [user.email for user in users] == emails[::-1],
          "first": [user.email for user in itertools.islice(users, 4)] == emails[:2:-1],
          "page": [len(page.data), page.pagination.total, page.pagination.has_more],
          "fromSecond": second == emails[3::-1],
          "pages": len(list(users.pages())),
          "members": [len(members), len(set(members)), identity.list_members(org).page().pagination.total],
          "roles": "owner" in [role.name for role in identity.list_roles(org)],
      }
    `);
    expect(outcome).toEqual({
      all: true,
      first: true,
      page: [3, 7, true],
      fromSecond: true,
      pages: 3,
      members: [7, 7, 7],
      roles: true,
    });
  });

  it('raises an error with the code and fields of the response', async () => {
    const outcome = await installed().python.run(`
      try:
          identity.create_user(org, email="no address")
      except ApiError as error:
          fields = [[field.pointer, field.in_] for field in error.errors]
      try:
          identity.get_organization(org, as_of=datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc))
      except ApiError as error:
          too_early = [error.code, error.earliest.isoformat()]
      nobody = IdentityClient(os.environ["BASE_URL"], api_key="service_sk_wrong")
      result = [
          failure(lambda: identity.create_organization(name="Acme", slug=org)),
          fields,
          too_early,
          failure(lambda: nobody.list_users(org).page()),
          failure(lambda: identity.get_user(org, "../../organizations"))["code"],
      ]
    `);
    expect(outcome).toEqual([
      expect.objectContaining({ name: 'ConflictError', code: 'slug_taken', message: expect.stringMatching(/already taken/) }),
      [['/email', 'body']],
      ['history_unavailable', expect.stringMatching(/^20\d\d-/)],
      expect.objectContaining({ name: 'AuthenticationError', status: 401, code: 'unauthenticated' }),
      'user_not_found',
    ]);
  });

  it('accepts fields that a newer version of the service adds', async () => {
    const outcome = await installed().python.run(`
      response = httpx.Response(200, json={"status": "new", "added": 1})
      newer = IdentityClient("http://localhost", transport=httpx.MockTransport(lambda request: response))
      liveness = newer.get_liveness()
      result = [liveness.status, liveness["added"]]
    `);
    expect(outcome).toEqual(['new', 1]);
  });

  it('rejects an invalid service URL', async () => {
    await expect(installed().python.run('IdentityClient("localhost")')).rejects.toThrow(/is not a URL/);
    for (const id of ['', '.', '..'])
      await expect(installed().python.run(`identity.get_user(org, "${id}")`)).rejects.toThrow(/ValueError: "id" must not be/);
  });

  it('imports and exports users', async () => {
    const outcome = await installed().python.run(`
      lines = identity.import_users(org, content='{"email":"import-1@example.com"}\\n{"email":"import-2@example.com"}\\n')
      csv = identity.import_users(org, content="email\\nimport-3@example.com\\n", content_type="text/csv")
      exported = identity.export_users(org, search="import-", format_="csv")
      result = [len(lines.splitlines()), csv.splitlines()[-1], len(exported.splitlines())]
    `);
    expect(outcome).toEqual([3, expect.stringMatching(/"created":1/), 4]);
  });
}
