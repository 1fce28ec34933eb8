import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedPath } from '../../test/support/chromium.ts';
import { projectDir } from '../build-if-stale.mjs';

/** Not a dependency: Lighthouse has 150 packages, and only this script needs it. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const folder = join(projectDir, '.cache/lighthouse');
const PAGES = new Set(['sign-in', 'overview', 'users']);
const METRICS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  SI: 'speed-index',
};

/** Returns the performance of three pages with the throttling of Lighthouse: a phone on a line of 1.6 Mbit/s and 150 ms. */
export async function measureWithLighthouse({ baseUrl, cookie, pages }) {
  await install();
  const table = {};
  for (const { name, path } of pages.filter((page) => PAGES.has(page.name))) {
    const headers = name === 'sign-in' ? {} : { Cookie: `${cookie.name}=${cookie.value}` };
    const { categories, audits } = await report(baseUrl + path, headers);
    const values = Object.entries(METRICS).map(([label, id]) => [label, audits[id].displayValue]);
    table[name] = { performance: Math.round(categories.performance.score * 100), ...Object.fromEntries(values) };
  }
  return table;
}

async function install() {
  if (existsSync(join(folder, 'node_modules/lighthouse'))) return;
  mkdirSync(folder, { recursive: true });
  await run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', LIGHTHOUSE]);
}

async function report(url, headers) {
  const output = join(folder, 'report.json');
  await run(process.execPath, [
    join(folder, 'node_modules/lighthouse/cli/index.js'),
    url,
    '--only-categories=performance',
    '--chrome-flags=--headless=new --no-sandbox',
    `--extra-headers=${JSON.stringify(headers)}`,
    '--output=json',
    `--output-path=${output}`,
    '--quiet',
  ]);
  return JSON.parse(readFileSync(output, 'utf8'));
}

// The service runs in this process, so nothing may block it.
const run = (program, parameters) =>
  promisify(execFile)(program, parameters, { env: { ...process.env, CHROME_PATH: installedPath() }, maxBuffer: 64 * 1024 ** 2 });
