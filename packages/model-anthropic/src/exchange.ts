/** One request as it goes out. */
export interface ServiceRequest {
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body in pieces, which stay the sender's: nobody joins what can be written as it is. */
  readonly body: readonly Uint8Array[]
  /** Closes the connection, whatever is under way. */
  readonly signal: AbortSignal
}

/** What an answer begins with, and the way to the rest. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: ResponseBody
}

/** Header fields by name, in any case; null for one that did not come. */
export type ResponseHeaders = Pick<Headers, 'get'>

/** The bytes of an answer, as they come. */
export interface ResponseBody {
  /** Gives the next bytes, null at the end. Rejects when the connection broke before it. */
  read(): Promise<Uint8Array | null>
  /** Lets the rest go. Harmless after the end. */
  cancel(): void
}

/** Sends a request and waits for the head of the answer. Follows no redirect: keys and headers would go along. */
export type Exchange = (request: ServiceRequest) => Promise<ServiceResponse>
