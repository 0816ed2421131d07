export interface Plan {
  readonly quick: boolean;
  readonly sizes: readonly number[];
  /** How often ours and the limit are measured, and how often the peers. */
  readonly rounds: number;
  readonly peerRounds: number;
  /** For one sample of one subject; who needs longer did not finish. */
  readonly budgetMillis: number;
  /** For the samples of one size. */
  readonly sizeMillis: number;
}

export const fullPlan: Plan = {
  quick: false,
  sizes: [10, 100, 1_000, 10_000, 100_000, 1_000_000],
  rounds: 5,
  peerRounds: 2,
  budgetMillis: 45_000,
  sizeMillis: 500,
};

export const quickPlan: Plan = {
  quick: true,
  sizes: [10, 1_000, 100_000],
  rounds: 3,
  peerRounds: 1,
  budgetMillis: 2_000,
  sizeMillis: 100,
};
