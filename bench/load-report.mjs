import { HIGH_CONCURRENCY_TARGETS } from './load.mjs';
import { KEYCLOAK_RATIO } from './oauth.mjs';
import { number, processorTimes, table, times } from './table.mjs';

export function loadTable(rows) {
  const columns = [
    'operation',
    'connections',
    'requests/s',
    'p50 / p99',
    'CPU ms per request, Node.js + PostgreSQL',
    'baseline requests/s',
    'baseline CPU ms',
    'ratio',
    'wanted',
    '',
  ];
  return table(
    'Load, service and baseline',
    columns,
    rows.map((row) => [
      row.operation,
      number(row.connections),
      number(row.service.perSecond),
      times(row.service),
      processorTimes(row.service),
      number(row.baseline.perSecond),
      processorTimes(row.baseline),
      number(row.ratio, 2),
      wantedOf(row),
      row.holds === undefined ? '' : row.holds ? 'holds' : 'DOES NOT HOLD',
    ]),
  );
}

/** The operations that other programs have, too, with tables of their own. */
export function peersTable(rows) {
  const compared = rows.flatMap((row) => (row.peers ?? []).map((peer) => [row, peer]));
  return table(
    'Load, service and other programs with tables of their own',
    [
      'operation',
      'requests/s',
      'CPU ms per request',
      'program',
      'requests/s',
      'p50 / p99',
      'CPU ms per request',
      'ratio',
      'wanted',
      '',
    ],
    compared.map(([row, peer]) => [
      row.operation,
      number(row.service.perSecond),
      processorTimes(row.service),
      peer.name,
      number(peer.perSecond),
      times(peer),
      processorTimes(peer),
      number(peer.ratio, 2),
      peer.wanted === undefined ? '-' : `at least ${peer.wanted}`,
      peer.holds === undefined ? '' : peer.holds ? 'holds' : 'DOES NOT HOLD',
    ]),
  );
}

export function oauthTable(rows) {
  const figures = (measured) =>
    measured ? [number(measured.perSecond), times(measured), processorTimes(measured)] : ['-', '-', '-'];
  const columns = ['operation', 'requests/s', 'p50 / p99', 'CPU ms per request, program + PostgreSQL'];
  return table(
    'OAuth, 16 connections: service, bare server and Keycloak',
    [
      ...columns,
      ...columns.slice(1).map((column) => `bare ${column}`),
      ...columns.slice(1).map((column) => `Keycloak ${column}`),
      'ratio',
      'wanted',
      'times Keycloak',
      'wanted',
      '',
    ],
    rows.map((row) => [
      row.operation,
      ...figures(row.service),
      ...figures(row.baseline),
      ...figures(row.Keycloak),
      number(row.ratio, 2),
      row.wanted === undefined ? '-' : `at least ${row.wanted} of ${row.of ?? 'the bare server'}`,
      number(row.timesKeycloak, 2),
      row.timesKeycloak === undefined ? '-' : `at least ${KEYCLOAK_RATIO}`,
      row.holds === undefined ? '' : row.holds ? 'holds' : 'DOES NOT HOLD',
    ]),
  );
}

function wantedOf({ wanted, rate, p99Times }) {
  if (rate !== undefined)
    return `${number(rate, 2)} of the rate at fewer (at least ${HIGH_CONCURRENCY_TARGETS.rate}), p99 ${number(p99Times, 1)} times p50 (under ${HIGH_CONCURRENCY_TARGETS.p99Times})`;
  return wanted === undefined ? '-' : `at least ${wanted}`;
}

/** Maximum resident memory of a process that has started and served a few requests. */
const MAX_IDLE_MIB = 150;

export function processTable({ readyMs, memoryIdleMiB, memoryAfterMiB }) {
  return table(
    'Process',
    ['spawn to ready', 'memory idle', 'wanted', 'memory after the load'],
    [
      [
        `${number(readyMs)} ms`,
        `${number(memoryIdleMiB)} MiB`,
        `under ${MAX_IDLE_MIB} MiB: ${memoryIdleMiB < MAX_IDLE_MIB ? 'holds' : 'DOES NOT HOLD'}`,
        `${number(memoryAfterMiB)} MiB`,
      ],
    ],
  );
}
