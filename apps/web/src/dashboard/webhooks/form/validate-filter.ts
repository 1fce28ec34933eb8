import { t } from '../../../texts';

const MAX_BYTES = 4_096;
const OPERATORS = new Set('$eq $ne $in $nin $gt $gte $lt $lte $exists $size $all $not $and $or $nor'.split(' '));

/** Validates a filter as far as possible without the API. Returns the error, or undefined. */
export function validateFilter(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  let filter: unknown;
  try {
    filter = JSON.parse(text);
  } catch (error) {
    return t('webhookForm.filterNotJson', { message: (error as Error).message });
  }
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return t('webhookForm.filterNotObject');
  if (new TextEncoder().encode(JSON.stringify(filter)).length > MAX_BYTES) return t('webhookForm.filterTooLong');
  const unknown = unknownOperator(filter);
  return unknown === undefined ? undefined : t('webhookForm.filterOperator', { name: unknown });
}

function unknownOperator(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key.startsWith('$') && !OPERATORS.has(key)) return key;
    const nestedOperator = unknownOperator(inner);
    if (nestedOperator !== undefined) return nestedOperator;
  }
  return undefined;
}
