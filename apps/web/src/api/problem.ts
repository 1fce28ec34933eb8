import { findText, t } from '../texts';

/** A validation error of one field. `pointer` is a JSON pointer (RFC 6901). */
export interface FieldProblem {
  readonly pointer?: string;
  readonly code: string;
  readonly message: string;
  /** The limits that the value violates. */
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ProblemBody {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly errors?: readonly FieldProblem[];
  readonly earliest?: string;
}

interface ProblemContext {
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly earliest?: string | undefined;
  readonly cause?: unknown;
}

/** The code of `ApiProblem.sessionEnded`. */
export const SESSION_ENDED = 'session_ended';

/** No response, and the answers of an overloaded service or of a proxy that does not reach it. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([0, 502, 503, 504]);

/** An error response of the API (RFC 9457). The status is 0 when the service could not be reached. */
export class ApiProblem extends Error {
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The earliest moment of the history, for the code `history_unavailable`. */
  readonly earliest: string | undefined;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly FieldProblem[] = [],
    { requestId, retryAfterSeconds, earliest, cause }: ProblemContext = {},
  ) {
    super(message, { cause });
    this.name = ApiProblem.name;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.earliest = earliest;
  }

  static from(response: Response, body: unknown): ApiProblem {
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    return ApiProblem.of(response.status, body, Number.isFinite(retryAfter) ? retryAfter : undefined);
  }

  /** Returns the error of a problem document, such as the one of an item in a batch. */
  static of(status: number, body: unknown, retryAfterSeconds?: number): ApiProblem {
    const { detail, title, code, requestId, errors, earliest }: ProblemBody =
      typeof body === 'object' && body !== null ? body : {};
    const fields = (errors ?? []).map((field) => ({ ...field, message: fieldMessage(field) }));
    const text = fields.length > 0 ? translatedFields(fields, errors) : findText(`service.problems.${code}`);
    return new ApiProblem(
      status,
      code ?? `http_${status}`,
      text ?? detail ?? title ?? t('errors.unexpected', { status }),
      fields,
      { requestId, retryAfterSeconds, earliest },
    );
  }

  static unreachable(cause: unknown): ApiProblem {
    return new ApiProblem(0, 'unreachable', t('errors.unreachable'), [], { cause });
  }

  /** The user did not sign in again after the session had ended. */
  static sessionEnded(): ApiProblem {
    return new ApiProblem(401, SESSION_ENDED, t('errors.sessionEnded'));
  }

  /** Returns whether a retry can succeed: the service was unreachable or overloaded. */
  get isTemporary(): boolean {
    return TEMPORARY_STATUSES.has(this.status);
  }

  /** Returns the error with only these fields. */
  withFields(fields: readonly FieldProblem[]): ApiProblem {
    return new ApiProblem(this.status, this.code, fields.map(({ message }) => message).join(' '), fields, this);
  }
}

/** The limits in the text of a code. */
const LIMITS: Readonly<Record<string, readonly ('minimum' | 'maximum')[]>> = {
  too_short: ['minimum'],
  too_long: ['maximum'],
  too_few: ['minimum'],
  too_many: ['maximum'],
  too_large: ['maximum'],
  too_deep: ['maximum'],
  out_of_range: ['minimum', 'maximum'],
};

/** Returns the text of a field error in the language of the page, otherwise the text of the API. */
export const fieldMessage = ({ code, message, ...limits }: Omit<FieldProblem, 'pointer'>): string =>
  limitText(code, limits) ?? findText(`service.fieldProblems.${code}`) ?? findText(`service.problems.${code}`) ?? message;

/** Returns the text that names the limits, or undefined if a limit of the text is unknown. */
function limitText(code: string, { minimum, maximum }: Pick<FieldProblem, 'minimum' | 'maximum'>): string | undefined {
  const needed = LIMITS[code]?.map((name) => ({ minimum, maximum })[name]) ?? [undefined];
  if (needed.includes(undefined)) return undefined;
  return findText(`service.fieldLimits.${code}`, { minimum: minimum ?? 0, maximum: maximum ?? 0 });
}

/** Returns the texts of the fields if they are translated. The API returns its own texts together. */
const translatedFields = (fields: readonly FieldProblem[], original: readonly FieldProblem[] = []): string | undefined =>
  fields.some(({ message }, index) => message !== original[index]?.message)
    ? fields.map(({ message }) => message).join(' ')
    : undefined;
