import { markdownTable } from '../../support/markdown-table.js';
import { type Sample } from './blocks.js';

/** Returns the page docs/samples.md: the samples that no test runs, with the reasons. */
export function byHandPage(samples: readonly Sample[]): string {
  const testedElsewhere = samples.filter(({ checkedBy }) => checkedBy !== undefined);
  const byHand = samples.filter(({ byHand }) => byHand !== undefined);
  return `# How the samples are tested

\`test/packages/documentation-samples.spec.ts\` runs the shell commands of each page in order against a running service and compares the responses with those on the page. It also parses JSON, JavaScript and Python, checks errors against their codes, and checks variables against the configuration. A block that the test does not run names the reason after its language. The test generates this page.

## Run by another test: ${testedElsewhere.length}

${table(['Page', 'First line', 'Test'], testedElsewhere, ({ checkedBy }) => `\`${checkedBy!}\``)}

## Run by hand: ${byHand.length}

${table(['Page', 'First line', 'Reason'], byHand, ({ byHand }) => byHand!)}
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
