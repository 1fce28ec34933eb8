import { markdownTable } from '../../support/markdown-table.js';
import { type Sample } from './blocks.js';

/** The page that says which samples are run, and what becomes of the others. */
export function byHandPage(samples: readonly Sample[]): string {
  const shell = samples.filter(({ language }) => language === 'sh');
  const elsewhere = shell.filter(({ checkedBy }) => checkedBy !== undefined);
  const byHand = shell.filter(({ byHand }) => byHand !== undefined);
  return `# How the samples are checked

\`test/packages/documentation-samples.spec.ts\` goes through the pages with a running service and runs their shell commands, in order, as a reader would. What a page shows as the answer is compared with the answer. JSON is parsed, errors are held against their
codes, JavaScript and Python are read by their languages, and variables are looked up in the configuration. The page is made by that test.

A block that is not run says so behind its language, with the reason.

## Run by another test: ${elsewhere.length}

${table(['Page', 'Begins with', 'Test'], elsewhere, ({ checkedBy }) => `\`${checkedBy!}\``)}

## Checked by hand: ${byHand.length}

These were typed in as they stand when they were written; what checks their parts is said on their pages.

${table(['Page', 'Begins with', 'Why'], byHand, ({ byHand }) => byHand!)}
`;
}

function table(head: string[], samples: readonly Sample[], last: (sample: Sample) => string): string {
  const rows = samples.map((sample) => [
    pageLink(sample.page),
    `\`${sample.code.split('\n')[0]!.replaceAll('|', '\\|')}\``,
    last(sample),
  ]);
  return markdownTable(head, rows);
}

const pageLink = (page: string): string =>
  page.startsWith('docs/') ? `[${page}](${page.slice('docs/'.length)})` : `[${page}](../${page})`;
