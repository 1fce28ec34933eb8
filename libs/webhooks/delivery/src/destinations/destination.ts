import type { StoredRequest } from '../signing/index.js';

/** The event of a delivery, when it is sent. */
export interface DeliveredEvent {
  /** The ID of the event, which is the same in each attempt. */
  readonly id: string;
  /** The exact text that the service stores for the event. */
  readonly payload: string;
  /** The gapless number of the delivery within its webhook. */
  readonly sequence?: string;
  /** The time of this attempt, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** What is sent. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The name of the format, for the history. Absent for the payload itself. */
  readonly format?: string;
}

/** Encodes events for targets of a kind. */
export interface Format<Target> {
  encode(event: DeliveredEvent, target: Target): Message | Promise<Message>;
}

/** The result of one attempt. */
export interface Outcome {
  readonly succeeded: boolean;
  /** Whether the receiver says that it will never accept deliveries again. Its webhook is disabled after the last attempt. */
  readonly permanent: boolean;
  /** Whether the receiver rejected this message for good, so that it is not sent again. */
  readonly rejected?: boolean;
  /** The code with which the receiver responded, such as an HTTP status. */
  readonly code?: number;
  /** What the history of the delivery shows. */
  readonly detail: OutcomeDetail;
}

export interface OutcomeDetail {
  readonly durationMs: number;
  readonly request?: StoredRequest;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly errorKind?: string;
  readonly errorMessage?: string;
}

/** A kind of receivers, for example servers that receive HTTP requests. */
export interface Destination<Target> {
  readonly type: string;
  /** Sends a message. If the receiver fails, resolves to a failed outcome. */
  send(target: Target, message: Message, signal?: AbortSignal): Promise<Outcome>;
}
