import { type FieldProblem, type FieldProblemCode, MAX_FIELD_PROBLEMS, memberPointer } from '#platform/common';
import { isExactNumber } from './exact-number.js';

const SPACES = new Set([' ', '\t', '\r', '\n']);
/** The characters that end a number or a word such as `true`. */
const ENDS = new Set([...SPACES, ',', '}', ']']);

/** Finds the fields of valid JSON that two parsers can read differently. */
class FieldWalk {
  readonly problems: FieldProblem[] = [];
  private position = 0;

  constructor(private readonly json: string) {}

  value(pointer: string): void {
    this.skipSpaces();
    const character = this.json[this.position];
    if (character === '{') this.object(pointer);
    else if (character === '[') this.list(pointer);
    else if (character === '"') this.text();
    else this.word(pointer);
    this.skipSpaces();
  }

  private object(pointer: string): void {
    const names = new Set<string>();
    this.items('}', () => {
      this.skipSpaces();
      const name = this.text();
      const at = memberPointer(pointer, name);
      if (names.has(name)) this.add(at, 'duplicate_field', `The field ${at} appears twice. Send it once.`);
      names.add(name);
      this.skipSpaces();
      this.position++;
      this.value(at);
    });
  }

  private list(pointer: string): void {
    let index = 0;
    this.items(']', () => this.value(memberPointer(pointer, String(index++))));
  }

  /** Reads the items between brackets. */
  private items(close: string, readItem: () => void): void {
    do {
      this.position++;
      this.skipSpaces();
      if (this.json[this.position] !== close) readItem();
    } while (this.json[this.position] === ',');
    this.position++;
  }

  private text(): string {
    const start = this.position++;
    while (this.json[this.position] !== '"') this.position += this.json[this.position] === '\\' ? 2 : 1;
    this.position++;
    return JSON.parse(this.json.slice(start, this.position)) as string;
  }

  private word(pointer: string): void {
    const start = this.position;
    while (this.position < this.json.length && !ENDS.has(this.json[this.position]!)) this.position++;
    const word = this.json.slice(start, this.position);
    if (isExactNumber(word)) return;
    const message = `The number ${word.slice(0, 40)} of ${pointer} can't be kept exactly. Send it as a string.`;
    this.add(pointer, 'inexact_number', message);
  }

  private skipSpaces(): void {
    while (SPACES.has(this.json[this.position]!)) this.position++;
  }

  private add(pointer: string, code: FieldProblemCode, message: string): void {
    this.problems.push({ pointer, in: 'body', code, message });
    // Skips the rest, because the response shows no more problems.
    if (this.problems.length === MAX_FIELD_PROBLEMS) this.position = this.json.length;
  }
}

/**
 * Returns the duplicate fields of valid JSON, and the numbers that JavaScript would round. At most 50. Slower than `JSON.parse`, so only
 * for JSON that is known to have such a field.
 */
export function ambiguousFieldsOf(json: string, pointer: string): readonly FieldProblem[] {
  const walk = new FieldWalk(json);
  walk.value(pointer);
  return walk.problems;
}
