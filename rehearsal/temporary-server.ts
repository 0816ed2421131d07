/** A server for the length of one rehearsal. */
export interface TemporaryServer {
  readonly url: string;
  /** Stops the server and leaves nothing of it. May be called at any time, and again. */
  stop(): Promise<void>;
}
