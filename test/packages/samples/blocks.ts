import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

/** A fenced block of a page. */
export interface Sample {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** The reason why no test runs the block: `by-hand="reason"` after the language. */
  readonly byHand?: string;
  /** The test file that runs the block: `checked-by="test file"` after the language. */
  readonly checkedBy?: string;
  readonly code: string;
}

/** Matches a block, also one that is indented because it belongs to a list. */
const FENCE = /^( *)```([a-z]*)([^\n]*)\n([\s\S]*?)^\1```$/gm;
/** Matches the title of a block in a code group. */
const TAB = /^ \[[^\]]+\]/;

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .toSorted(),
];

/** Every fenced code block of the documentation, by page. */
export const SAMPLES: ReadonlyMap<string, readonly Sample[]> = new Map(PAGES.map((page) => [page, samplesOf(page)]));

function samplesOf(page: string): Sample[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(FENCE)].map(({ 1: indent, 2: language, 3: info, 4: code, index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language: language!,
    ...tagsOf(info!.replace(TAB, '').trim(), page),
    code: code!.replaceAll(new RegExp(`^${indent!}`, 'gm'), ''),
  }));
}

function tagsOf(info: string, page: string): Pick<Sample, 'byHand' | 'checkedBy'> {
  if (info === '') return {};
  const [, name, value] = /^(by-hand|checked-by)="([^"]+)"$/.exec(info) ?? [];
  if (value === undefined) throw new Error(`${page}: unknown text after the language of a code block: ${info}`);
  return name === 'by-hand' ? { byHand: value } : { checkedBy: value };
}

/** Returns whether documentation-samples.spec.ts runs the block. */
export const isRun = ({ language, byHand, checkedBy }: Sample): boolean =>
  language === 'sh' && byHand === undefined && checkedBy === undefined;
