/** An event when it is sent to a webhook. */
export interface SentEvent {
  /** The exact text that the service stores for the event. */
  readonly payload: string;
  readonly webhookId: string;
  /** The time of this attempt, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The service that sends events. */
export interface SendingService {
  /** Value of SERVICE_NAME. */
  readonly name: string;
  /** Value of BASE_URL, which is also the issuer of tokens. */
  readonly baseUrl: string;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A format in which a webhook can receive events. */
export interface EventFormat {
  readonly name: string;
  readonly contentType: string;
  /** A sentence about what is sent, for the API reference. */
  readonly description: string;
  /** The JSON Schema of the documents. */
  readonly schema: JsonSchema;
  /** The type of the token in which the document is sent as claims. Absent if the document itself is sent, as JSON. */
  readonly tokenType?: string;
  /** Returns the document of an event, which is the same in each attempt except for fields that the format derives from the time of the attempt. */
  documentOf(event: SentEvent, service: SendingService): object;
}
