/**
 * Returns whether JavaScript keeps the value of a JSON number: whether the number is written with the same value as it was read. The value
 * of 0.1 is kept, because the shortest text of its double is "0.1". Returns true for a text that is not a number.
 */
export function isExactNumber(text: string): boolean {
  const value = Number(text);
  const written = String(value);
  if (written === text || Number.isNaN(value)) return true;
  return Number.isFinite(value) && decimalOf(text) === decimalOf(written);
}

/** Returns the value of a number as its significant digits and the exponent of the first digit, without the sign. */
function decimalOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [integer = '', fraction = ''] = (mantissa.startsWith('-') ? mantissa.slice(1) : mantissa).split('.');
  const digits = integer + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return start === end ? '0' : `${digits.slice(start, end)}e${integer.length - start + Number(exponent)}`;
}
