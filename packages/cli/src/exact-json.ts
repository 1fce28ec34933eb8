/** Matches texts and numbers of valid JSON. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Parses JSON. @throws SyntaxError for invalid JSON, and for a number that JavaScript would round, because the service would store another number */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  for (const [token] of text.matchAll(TEXT_OR_NUMBER)) {
    if (!token.startsWith('"') && digitsOf(token) !== digitsOf(String(Number(token))))
      throw new SyntaxError(`The number ${token.slice(0, 40)} has too many digits. Write it as a string.`);
  }
  return value;
}

/** Returns the digits of a number without leading and trailing zeros, and an empty text for 0 and Infinity. */
function digitsOf(number: string): string {
  const digits = number.split(/e/i)[0]!.replace(/[^\d]/g, '');
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return digits.slice(start, end);
}
