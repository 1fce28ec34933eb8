import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTargets, seedDirectories } from './directories.mjs';
import { READS } from './reads.mjs';
import { call, startService } from './service.mjs';
import { withClient } from './stores.mjs';

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
};
const LOG_DELAY_MS = 200;

/**
 * Returns PostgreSQL's plans of each read in the largest organization, as Markdown. `auto_explain` writes the plans to the server log
 * during the requests.
 */
export async function explainReads({ url, logFile }, sizes, log) {
  if (logFile === undefined) throw new Error('--explain reads the log of the embedded PostgreSQL: unset DATABASE_URL.');
  await seedDirectories(url, sizes, log);
  const [target] = await readTargets(url, [sizes.at(-1)]);
  await configure(url, (name, value) => `SET ${name} = '${value}'`);
  const service = await startService(url);
  try {
    const shown = new Set();
    const sections = [];
    for (const read of READS) sections.push(section(read, await plansOf(service, target, read, logFile), shown));
    return sections.join('\n');
  } finally {
    await service.stop();
    await configure(url, (name) => `RESET ${name}`);
  }
}

function configure(url, clause) {
  return withClient(url, async (client) => {
    const { rows } = await client.query('SELECT current_database() AS name');
    for (const [name, value] of Object.entries(SETTINGS))
      await client.query(`ALTER DATABASE "${rows[0].name}" ${clause(name, value)}`);
  });
}

/** Uses the second of two requests, because the first request reads from disk. */
async function plansOf(service, target, { path }, logFile) {
  const request = () => call(service, 'GET', `/v1/organizations/${target.slug}/users${path(target, 0)}`);
  await request();
  await sleep(LOG_DELAY_MS);
  const start = statSync(logFile).size;
  await request();
  await sleep(LOG_DELAY_MS);
  return (
    readFileSync(logFile)
      .subarray(start)
      .toString()
      .split(/\n(?=\S)/)
      .filter((entry) => entry.includes('  plan:'))
      // Excludes background work, which has no filter on a single organization or user.
      .filter((entry) => entry.includes(`'${target.id}'`) || /Query Parameters:.*'usr_/.test(entry))
      .map(planOf)
  );
}

function planOf(entry) {
  const [first, ...lines] = entry.split('\n').map((line) => line.replace(/^\t/, ''));
  const planStart = lines.findIndex((line) => /\(cost=/.test(line));
  const parameters = lines.findIndex((line) => line.startsWith('Query Parameters:'));
  const plan = lines.slice(planStart).filter((line) => !line.includes('Index Searches:'));
  return {
    durationMs: /duration: ([\d.]+) ms/.exec(first)[1],
    sql: readable(lines.slice(0, parameters).join(' ').replace('Query Text: ', '')).replace(/\s+/g, ' '),
    plan: readable(plan.join('\n')),
  };
}

/** Removes noise: IDs, types, and lists of all columns of a table. */
function readable(text) {
  return text
    .replaceAll(/((?:usr|org|role)_)[0-9a-z]{26}/g, '$1…')
    .replaceAll(/(usr_…,)+usr_…/g, 'usr_…, …')
    .replaceAll(/::text(\[\])?/g, '')
    .replaceAll(' COLLATE "C"', '')
    .replaceAll(/("\w+"\."\w+" AS "\w+"(, )?)+/g, '… ')
    .replaceAll(/(\$\d+, )+(?=\$\d+\))/g, '…, ');
}

/**
 * Matches statements that find users. The report shows plans of these statements for each read, and plans of all other statements once.
 */
const FINDS_USERS = /FROM directory_entries e WHERE|FROM role_assignments WHERE role_id/;

function section({ name }, plans, shown) {
  const newPlans = plans.filter(({ sql }) => FINDS_USERS.test(sql) || !shown.has(sql));
  for (const { sql } of newPlans) shown.add(sql);
  const body = newPlans.map(({ sql, plan, durationMs }) => `${sql}\n-- ${durationMs} ms\n${plan}`).join('\n\n');
  const omittedCount = plans.length - newPlans.length;
  const omittedNote = omittedCount > 0 ? `${omittedCount} of ${plans.length} statements are as above.\n\n` : '';
  return `### ${name[0].toUpperCase()}${name.slice(1)}\n\n${omittedNote}${newPlans.length > 0 ? `\`\`\`text\n${body}\n\`\`\`\n` : ''}`;
}
