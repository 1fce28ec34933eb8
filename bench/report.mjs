import { MAX_GROWTH, MAX_TIMES_GET } from './reads.mjs';

const number = (value, digits = 0) =>
  value === undefined ? '-' : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const times = ({ p50Ms, p99Ms }) => `${number(p50Ms, 1)} / ${number(p99Ms, 1)}`;
const WANTED = {
  flat: ({ growth }) => `${number(growth, 2)} times the smallest (wanted: at most ${MAX_GROWTH})`,
  nearGet: ({ timesGet }) => `${number(timesGet, 1)} times the get (wanted: under ${MAX_TIMES_GET})`,
  linear: () => 'may grow with the matches',
};

/** The results as Markdown tables. Times are milliseconds. */
export function report({ reads, load, deliveries }) {
  const parts = [];
  if (reads) parts.push(readsTable(reads));
  if (load) parts.push(loadTable(load.rows), processTable(load));
  if (deliveries) parts.push(deliveriesTable(deliveries));
  return parts.join('\n\n');
}

function readsTable(reads) {
  const sizes = reads[0].bySize.map(({ users }) => `${number(users)} users`);
  const rows = reads.map((read) => [
    read.read,
    ...read.bySize.map(times),
    `${read.holds ? 'holds' : 'DOES NOT HOLD'}: ${WANTED[read.wanted](read)}`,
  ]);
  return table('Reads, p50 / p99 in ms', ['read', ...sizes, 'p50 of the largest'], rows);
}

function loadTable(rows) {
  const columns = ['operation', 'connections', 'requests/s', 'p50 / p99', 'baseline requests/s', 'baseline p50 / p99', 'ratio'];
  return table(
    'Load, service and baseline',
    columns,
    rows.map(({ operation, connections, service, baseline, ratio }) => [
      operation,
      number(connections),
      number(service.perSecond),
      times(service),
      number(baseline.perSecond),
      times(baseline),
      number(ratio, 2),
    ]),
  );
}

function processTable({ readyMs, memoryIdleMiB, memoryAfterMiB }) {
  return table(
    'Process',
    ['spawn to ready', 'memory idle', 'memory after the load'],
    [[`${number(readyMs)} ms`, `${number(memoryIdleMiB)} MiB`, `${number(memoryAfterMiB)} MiB`]],
  );
}

function deliveriesTable(rows) {
  return table(
    'Deliveries to a local receiver',
    ['queue', 'deliveries/s', 'event to delivery, p50 / p99'],
    rows.map((row) => [row.queue, number(row.perSecond), times(row)]),
  );
}

function table(title, columns, rows) {
  const widths = columns.map((column, index) =>
    Math.max(...[column, ...rows.map((row) => row[index])].map((cell) => cell.length)),
  );
  const line = (cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [`${title}:`, '', line(columns), rule, ...rows.map(line)].join('\n');
}
