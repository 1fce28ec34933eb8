import { ScimRequestInvalid } from './scim-errors.js';

/** A token. A word is the name of an attribute, an operator, a number, `true`, `false` or `null`. */
interface Token {
  readonly type: 'word' | 'string' | '(' | ')' | '[' | ']' | 'end';
  readonly text: string;
  readonly start: number;
  /** Whether no space stands before the token. */
  readonly isAdjacent: boolean;
}

const SPACE = ' ';
const DELIMITERS = new Set(['(', ')', '[', ']', '"', SPACE]);
const BRACKETS = new Set(['(', ')', '[', ']']);
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
/** Numbers of JSON (RFC 8259). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const invalidFilter = (detail: string): ScimRequestInvalid => new ScimRequestInvalid('invalidFilter', detail);

/** The tokens of a filter, read one after another, each character at most twice. All methods throw ScimRequestInvalid (400, invalidFilter). */
export class FilterTokens {
  private token: Token;

  constructor(private readonly text: string) {
    this.token = this.read(0);
  }

  get next(): Token {
    return this.token;
  }

  take(): Token {
    const taken = this.token;
    this.token = this.read(taken.start + taken.text.length);
    const { type, isAdjacent, text } = this.token;
    const endsValue = taken.type !== '(' && taken.type !== '[';
    const isSubAttribute = taken.type === ']' && text.startsWith('.');
    if (isAdjacent && endsValue && (type === 'word' || type === 'string') && !isSubAttribute) throw this.unexpected('a space');
    return taken;
  }

  /** Takes a word if it is the next token. Ignores case. */
  takeKeyword(word: string): boolean {
    if (this.token.text.toLowerCase() !== word) return false;
    this.take();
    return true;
  }

  takeWord(expected: string): string {
    if (this.token.type !== 'word') throw this.unexpected(expected);
    return this.take().text;
  }

  expect(type: Token['type']): void {
    if (this.token.type !== type) throw this.unexpected(`"${type}"`);
    this.take();
  }

  /** Takes a value of JSON: a string in double quotes, a number, `true`, `false` or `null`. */
  takeValue(): string | number | boolean | null {
    const { type, text } = this.token;
    const literal = LITERALS.get(text);
    const isNumber = NUMBER.test(text) && Number.isFinite(Number(text));
    if (type !== 'string' && literal === undefined && !isNumber)
      throw this.unexpected('a value: a string in double quotes, a number, true, false or null');
    const value = type === 'string' ? this.decoded(text) : literal === undefined ? Number(text) : literal;
    this.take();
    return value;
  }

  unexpected(expected: string): ScimRequestInvalid {
    const { type, text, start } = this.token;
    const found = type === 'end' ? 'it ends there' : `found ${JSON.stringify(text.slice(0, 50))}`;
    return this.invalid(start, `expected ${expected}, but ${found}`);
  }

  private invalid(position: number, problem: string): ScimRequestInvalid {
    return invalidFilter(
      `The filter is invalid at character ${position + 1}: ${problem}. Send for example: userName eq "jane@example.com".`,
    );
  }

  private read(from: number): Token {
    let start = from;
    while (this.text[start] === SPACE) start++;
    const isAdjacent = start === from;
    const character = this.text[start];
    if (character === undefined) return { type: 'end', text: '', start, isAdjacent };
    if (BRACKETS.has(character)) return { type: character as Token['type'], text: character, start, isAdjacent };
    const end = character === '"' ? this.endOfString(start) : this.endOfWord(start);
    return { type: character === '"' ? 'string' : 'word', text: this.text.slice(start, end), start, isAdjacent };
  }

  private endOfWord(start: number): number {
    let end = start;
    for (; end < this.text.length && !DELIMITERS.has(this.text[end]!); end++)
      if (this.text[end]! < '!' || this.text[end]! > '~')
        throw this.invalid(end, 'only strings in double quotes can contain other characters than printable ASCII');
    return end;
  }

  private endOfString(start: number): number {
    for (let end = start + 1; end < this.text.length; end++) {
      const character = this.text[end]!;
      if (character === '"') return end + 1;
      if (character < SPACE) throw this.invalid(end, 'a string contains a control character. Escape it as in JSON');
      if (character === '\\') end++;
    }
    throw this.invalid(start, 'the string has no closing quote');
  }

  /** Returns the text of a JSON string. No stored text has NUL or half a surrogate pair, so a filter with them has a mistake. */
  private decoded(literal: string): string {
    let value: string;
    try {
      value = JSON.parse(literal) as string;
    } catch {
      throw this.invalid(this.token.start, 'the string has an invalid escape. Escape as in JSON: \\" and \\\\');
    }
    if (value.includes('\0') || !value.isWellFormed())
      throw this.invalid(this.token.start, 'the string must be valid Unicode text without NUL characters');
    return value;
  }
}
