const TABLES = ['organizations', 'roles', 'users', 'memberships', 'role_assignments', 'directory_entries'];

/** Writes the present versions of all seeded rows of a tenant to the history, so that reads as of a moment find them. */
export async function seedHistory(client, tenantId) {
  for (const table of TABLES) {
    const { rows } = await client.query(
      `SELECT string_agg(attname, ', ' ORDER BY attnum) AS columns FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [table],
    );
    const [{ columns }] = rows;
    await client.query(
      `INSERT INTO ${table}_history (${columns}, valid_from, valid_to) SELECT ${columns}, now(), 'infinity' FROM ${table} WHERE tenant_id = $1`,
      [tenantId],
    );
    await client.query(`ANALYZE ${table}_history`);
  }
}
