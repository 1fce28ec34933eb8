/** A number, `true`, `false` or `null`, which the next character does not continue. */
// oxlint-disable-next-line regexp/no-super-linear-move -- the pattern is sticky, so it is tried at one position only
const WORD = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const SPACES = new Set([' ', '\t', '\n', '\r']);
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const FIRST_PRINTABLE = ' ';

/** Ends the walk at the first error. */
class Unexpected extends Error {
  constructor(
    readonly position: number,
    readonly expected: string,
  ) {
    super(expected);
  }
}

/** Reads JSON by the grammar of RFC 8259, without building values. The caller has checked the depth. */
class SyntaxWalk {
  private position = 0;

  constructor(private readonly json: string) {}

  /** @throws Unexpected */
  run(): void {
    this.value();
    this.skipSpaces();
    if (this.position < this.json.length) this.fail('the end');
  }

  private value(): void {
    this.skipSpaces();
    const first = this.json[this.position];
    if (first === '{') this.items('}', () => this.member());
    else if (first === '[') this.items(']', () => this.value());
    else if (first === '"') this.text();
    else if (!this.skip(WORD)) this.fail('a value: an object, a list, a text in double quotes, a number, true, false or null');
  }

  private member(): void {
    if (this.json[this.position] !== '"') this.fail('the name of a field in double quotes');
    this.text();
    this.skipSpaces();
    if (this.json[this.position] !== ':') this.fail('":"');
    this.position++;
    this.value();
  }

  private items(close: string, readItem: () => void): void {
    this.position++;
    this.skipSpaces();
    if (this.json[this.position] === close) {
      this.position++;
      return;
    }
    for (;;) {
      this.skipSpaces();
      readItem();
      this.skipSpaces();
      const end = this.json[this.position];
      if (end !== ',' && end !== close) this.fail(`"," or "${close}"`);
      this.position++;
      if (end === close) return;
    }
  }

  private text(): void {
    this.position++;
    for (;;) {
      const character = this.json[this.position];
      if (character === undefined) this.fail('a double quote at the end of the text');
      if (character < FIRST_PRINTABLE) this.fail('an escape sequence such as \\n instead of a line break or control character');
      if (character === '\\') {
        if (!this.skip(ESCAPE)) this.fail('an escape sequence of JSON, such as \\n, \\" or \\u00e4');
        continue;
      }
      this.position++;
      if (character === '"') return;
    }
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.json)) return false;
    this.position = pattern.lastIndex;
    return true;
  }

  private skipSpaces(): void {
    while (SPACES.has(this.json[this.position]!)) this.position++;
  }

  private fail(expected: string): never {
    throw new Unexpected(this.position, expected);
  }
}

/**
 * Returns where JSON is not valid and what is expected there, as the rest of a sentence. Does not contain the JSON, which can contain secrets.
 * Returns an empty text for valid JSON.
 */
export function syntaxErrorOf(json: string): string {
  try {
    new SyntaxWalk(json).run();
    return '';
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    const before = json.slice(0, error.position).split('\n');
    const column = `column ${before.at(-1)!.length + 1}`;
    const place = json.includes('\n') ? `line ${before.length}, ${column}` : column;
    const found = error.position >= json.length ? 'It ends there, but needs' : 'Expected';
    return ` at ${place}. ${found} ${error.expected}`;
  }
}
