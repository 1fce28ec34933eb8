export const number = (value, digits = 0) =>
  value === undefined ? '-' : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const times = ({ p50Ms, p99Ms }) => `${number(p50Ms, 1)} / ${number(p99Ms, 1)}`;
export const processorTimes = ({ nodeMs, postgresMs }) => `${number(nodeMs, 2)} + ${number(postgresMs, 2)}`;

export function table(title, columns, rows) {
  const widths = columns.map((column, index) =>
    Math.max(...[column, ...rows.map((row) => row[index])].map((cell) => cell.length)),
  );
  const line = (cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [`${title}:`, '', line(columns), rule, ...rows.map(line)].join('\n');
}
