import { number, table, times } from './table.mjs';

/** Formats the comparison of one PostgreSQL with Citus as Markdown tables. */
export function citusTables(results) {
  const [one, ...others] = results;
  const ratio = (value, base) => `${number(value)} (${number(value / base, 2)})`;
  const rates = one.rates.map(({ operation, where, ...base }, index) => [
    operation,
    where,
    `${number(base.perSecond)}, ${times(base)} ms`,
    ...others.map(({ rates: [...rows] }) => `${ratio(rows[index].perSecond, base.perSecond)}, ${times(rows[index])} ms`),
  ]);
  const deliveries = [
    'deliveries',
    'ten tenants',
    number(one.deliveriesPerSecond),
    ...others.map(({ deliveriesPerSecond }) => ratio(deliveriesPerSecond, one.deliveriesPerSecond)),
  ];
  const parts = [
    table(
      'Requests/s (ratio to one PostgreSQL), p50 / p99',
      ['operation', 'tenants', ...results.map(({ name }) => name)],
      [...rates, deliveries],
    ),
    bytesTable(one),
  ];
  const last = others.at(-1);
  if (last?.statements) parts.push(statementsTable(last));
  return parts.join('\n\n');
}

function statementsTable({ name, statements: { requests, idlePerSecond } }) {
  const counts = (row) => [number(row.statements, 1), number(row.shards, 1), number(row.multiShard, 1)];
  return table(
    `Statements on distributed tables, ${name}`,
    ['operation', 'statements', 'shards of all statements', 'statements on more than one shard'],
    [...requests.map((row) => [row.operation, ...counts(row)]), ['one idle process, each second', ...counts(idlePerSecond)]],
  );
}

function bytesTable({ bytes }) {
  return table(
    'Bytes of a row, one PostgreSQL',
    ['table', 'rows', 'table', 'indexes', 'sum'],
    bytes.map((row) => [
      row.table,
      number(row.rows),
      number(row.tableBytes),
      number(row.indexBytes),
      number(row.tableBytes + row.indexBytes),
    ]),
  );
}
