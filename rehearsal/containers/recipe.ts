/** What to tell an official image, and how its server is reached. */
export interface ContainerRecipe {
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of the server. */
  readonly arguments: readonly string[];
  /** On the loopback address: a container's own is not reachable from everywhere. */
  readonly url: (port: number) => string;
  /** Resolves when the server answers; rejects when it does not, yet. */
  readonly ping: (url: string) => Promise<void>;
}
