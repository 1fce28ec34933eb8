import { MIN_WRITE_RATIO } from './as-of.mjs';
import { loadTable, oauthTable, peersTable, processTable } from './load-report.mjs';
import { MOVE_LIMIT } from './moves.mjs';
import { START_LIMITS } from './start.mjs';
import { MAX_GROWTH, MAX_TIMES_GET } from './reads.mjs';
import { number, table, times } from './table.mjs';

const WANTED = {
  flat: ({ growth }) => `${number(growth, 2)} times the smallest (wanted: at most ${MAX_GROWTH})`,
  nearGet: ({ timesGet }) => `${number(timesGet, 1)} times the get (wanted: under ${MAX_TIMES_GET})`,
  linear: () => 'may grow with the matches',
};

/** Formats the results as Markdown tables. Times are in milliseconds. */
export function report({ reads, load, oauth, deliveries, start, asOf, move }) {
  const parts = [];
  if (reads) parts.push(readsTable(reads));
  if (load) parts.push(loadTable(load.rows), peersTable(load.rows), processTable(load));
  if (oauth) parts.push(oauthTable(oauth));
  if (start) parts.push(startTable(start));
  if (asOf) parts.push(asOfTables(asOf));
  if (move) parts.push(movesTable(move), movingReadsTable(move));
  if (deliveries) parts.push(deliveriesTable(deliveries));
  return parts.join('\n\n');
}

function startTable({ bareMs, databaseUpMs, emptyMachineMs, timesBare }) {
  const row = (what, tookMs, limitMs) => [
    what,
    number(tookMs),
    `under ${number(limitMs)}`,
    tookMs < limitMs ? 'holds' : 'DOES NOT HOLD',
  ];
  const rows = [
    row(`database up (${number(timesBare, 1)} times the bare application)`, databaseUpMs, START_LIMITS.databaseUpMs),
    row('empty machine, embedded PostgreSQL', emptyMachineMs, START_LIMITS.emptyMachineMs),
    ['bare NestJS with TypeORM', number(bareMs), '-', ''],
  ];
  return table('From spawn to ready', ['start', 'ms', 'wanted', ''], rows);
}

const longest = ({ p50Ms, maxMs }) => `${number(p50Ms, 1)} / ${number(maxMs, 1)}`;

function movesTable(moves) {
  const columns = ['descendants', 'preview', 'move', 'bare UPDATE', 'move / UPDATE', 'wanted', ''];
  const rows = moves.map(({ descendants, preview, move, update }) => {
    const isLimited = descendants === MOVE_LIMIT.descendants;
    return [
      number(descendants),
      longest(preview),
      longest(move),
      longest(update),
      number(move.p50Ms / update.p50Ms, 1),
      isLimited ? `under ${number(MOVE_LIMIT.ms)} ms` : '-',
      isLimited ? (move.maxMs < MOVE_LIMIT.ms ? 'holds' : 'DOES NOT HOLD') : '',
    ];
  });
  return table('Moves of an organization, p50 / longest in ms', columns, rows);
}

function movingReadsTable(moves) {
  const columns = ['descendants', 'read', 'without moves', 'during moves', 'reads', 'show a part of a move', ''];
  const rows = moves.flatMap(({ descendants, reads }) =>
    reads.map(({ name, still, moving, partial }) => [
      number(descendants),
      name,
      longest(still),
      longest(moving),
      number(moving.count),
      number(partial),
      partial === 0 ? 'holds' : 'DOES NOT HOLD',
    ]),
  );
  return table('Reads while the organization moves, p50 / longest in ms', columns, rows);
}

function readsTable({ rows: reads, crowded }) {
  const sizes = reads[0].bySize.map(({ users }) => `${number(users)} users`);
  const rows = reads.map((read) => [
    read.read,
    ...read.bySize.map(times),
    `${read.holds ? 'holds' : 'DOES NOT HOLD'}: ${WANTED[read.wanted](read)}`,
  ]);
  const { writes, search, get, timesGet, holds } = crowded;
  const beside = `${number(timesGet, 1)} times the get's ${times(get)} (wanted: under ${MAX_TIMES_GET})`;
  return [
    table('Reads, p50 / p99 in ms', ['read', ...sizes, 'p50 of the largest'], rows),
    `Search for 20 users in the largest, 16 connections, right after ${number(writes)} creates: p50 / p99 ${times(search)} ms, ${beside}: ${holds ? 'holds' : 'DOES NOT HOLD'}`,
  ].join('\n\n');
}

/** The targets of deliveries, relative to the same run: to the baseline, to the backlog with 10 webhooks, and to one `get user`. */
const DELIVERY_GOALS = { ten: { Bull: 0.65, 'in-process': 0.75 }, one: 1, idle: 2, half: { p50: 6, p99: 20 } };

function deliveriesTable(results) {
  const rows = results.flatMap((result) =>
    deliveryRows(result).map(([what, measured, wanted, holds]) => [
      result.queue,
      what,
      measured,
      wanted,
      holds === undefined ? '' : holds ? 'holds' : 'DOES NOT HOLD',
    ]),
  );
  return table('Deliveries to a local receiver', ['queue', 'what', 'measured', 'wanted', ''], rows);
}

function deliveryRows({ queue, idle, getUserMs, half, tenPerSecond, onePerSecond, baselinePerSecond, ...load }) {
  const goal = DELIVERY_GOALS;
  const ten = tenPerSecond / baselinePerSecond;
  const one = onePerSecond / tenPerSecond;
  const createRatio = load.createWithTenPerSecond / load.createPerSecond;
  const timesGet = (ms) => ms / getUserMs;
  return [
    [
      'deliveries/s of a backlog, 10 webhooks an event',
      `${number(tenPerSecond)}, baseline ${number(baselinePerSecond)}: ${number(ten, 2)}`,
      `at least ${goal.ten[queue]} of the baseline`,
      ten >= goal.ten[queue],
    ],
    [
      'deliveries/s of a backlog, one webhook',
      `${number(onePerSecond)}: ${number(one, 2)} of that with 10 webhooks`,
      `at least ${goal.one}`,
      one >= goal.one,
    ],
    [
      'event to receiver, idle: p50 / p99 in ms',
      `${times(idle)}; p50 ${number(timesGet(idle.p50Ms), 1)} times one get user (${number(getUserMs, 2)} ms)`,
      `at most ${goal.idle} times`,
      timesGet(idle.p50Ms) <= goal.idle,
    ],
    [
      `event to receivers at half load (${number(load.sustained / 2)} events/s): p50 / p99 in ms`,
      `${times(half)}; ${number(timesGet(half.p50Ms), 1)} / ${number(timesGet(half.p99Ms), 1)} times one get user`,
      `at most ${goal.half.p50} / ${goal.half.p99} times`,
      timesGet(half.p50Ms) <= goal.half.p50 && timesGet(half.p99Ms) <= goal.half.p99,
    ],
    [
      'users created/s with 10 webhooks, beside none',
      `${number(load.createWithTenPerSecond)}, none ${number(load.createPerSecond)}: ${number(createRatio, 2)}`,
      '-',
    ],
  ];
}

function asOfTables({ users, reads, writes }) {
  const readRows = reads.map(({ name, now, asOf, ratio }) => [
    name,
    number(now.perSecond),
    times(now),
    number(asOf.perSecond),
    times(asOf),
    number(ratio, 2),
  ]);
  const writeRows = writes.map(({ name, withHistory, without, ratio, holds }) => [
    name,
    number(withHistory.perSecond),
    times(withHistory),
    number(without?.perSecond),
    number(ratio, 2),
    holds === undefined ? '-' : `at least ${MIN_WRITE_RATIO}: ${holds ? 'holds' : 'DOES NOT HOLD'}`,
  ]);
  return [
    table(
      `Reads as of a moment, ${number(users)} users`,
      ['operation', 'now requests/s', 'p50 / p99', 'as of requests/s', 'p50 / p99', 'ratio'],
      readRows,
    ),
    table('Writes', ['operation', 'requests/s', 'p50 / p99', 'without history', 'ratio', 'wanted'], writeRows),
  ].join('\n\n');
}
