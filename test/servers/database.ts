import type { ContainerRecipe } from '../../rehearsal/containers/recipe.ts';

/** A server that tests talk to, and what stops it. */
export interface RunningServer {
  readonly url: string;
  /** Where it comes from, for the summary: `a container of postgres:17`. */
  readonly from: string;
  /** May be called again. */
  readonly stop: () => Promise<void>;
}

/** How the tests of one database get their server. */
export interface Database {
  /** Environment variable with the URL of a server that is there already. */
  readonly urlVariable: string;
  /** Environment variable with the image to use in place of the official one. */
  readonly imageVariable: string;
  readonly image: string;
  readonly recipe: ContainerRecipe;
  /** Starts a server of this machine; throws an error that says what is missing. */
  readonly startLocal?: () => Promise<RunningServer>;
}
