/** What the exit code of the command says. */
export const exitCodes = {
  met: 0,
  notMet: 1,
  usage: 2,
  cannotConnect: 3,
  /** The machine was too busy: nothing is proven, neither success nor failure. */
  void: 4,
  /** A fault of watertight itself; not to be taken for a verdict. */
  internal: 70,
} as const;
