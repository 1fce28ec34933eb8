import { column, row, type RowOf } from '#platform/database';

/** The columns of `events e` that the hash chain covers. Times are in microseconds, so that nothing is rounded. */
export const CHAINED_COLUMNS = `e.id, e.seq, e.type, e.organization_id, e.parent_organization_id, e.ancestor_ids, e.user_id, e.actor_type,
  e.actor_id, (extract(epoch FROM e.occurred_at) * 1000000)::bigint AS occurred_at_us,
  (extract(epoch FROM e.created_at) * 1000000)::bigint AS created_at_us, e.payload_digest`;

/** The types of `CHAINED_COLUMNS`. */
export const CHAINED_ROW = {
  id: column.text(),
  seq: column.digits(),
  type: column.text(),
  organization_id: column.text(),
  parent_organization_id: column.nullable(column.text()),
  ancestor_ids: column.arrayOf(column.text()),
  user_id: column.nullable(column.text()),
  actor_type: column.text(),
  actor_id: column.nullable(column.text()),
  occurred_at_us: column.digits(),
  created_at_us: column.digits(),
  payload_digest: column.bytes(),
};
const CHAINED = row(CHAINED_ROW);
export type ChainedRow = RowOf<typeof CHAINED>;
