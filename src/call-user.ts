/**
 * Runs code of the user's in the middle of ours. What it throws becomes an uncaught exception, as it
 * would without us, but only after we have finished: no permit may be lost by it.
 */
export function callUser(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}
