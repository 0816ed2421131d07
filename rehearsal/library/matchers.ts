/** What a matcher answers to jest and to vitest. */
export interface MatcherAnswer {
  readonly pass: boolean;
  readonly message: () => string;
}

/** For the types of a test runner, which `declare module` lines extend with it. */
export interface RehearsalMatchers<R = unknown> {
  /** Of a result, or of one of its partitions. When it is void this fails, and its `not` as well. */
  toMeetObjectives(): R;
}

/**
 * For `expect.extend(rehearsalMatchers)` of jest and vitest: `expect(result).toMeetObjectives()` and
 * `expect(result.partition('order')).toMeetObjectives()`. The message of a failure is the summary.
 */
export const rehearsalMatchers: {
  readonly toMeetObjectives: (received: unknown) => MatcherAnswer;
} = {
  toMeetObjectives(received) {
    if (!isJudged(received)) {
      throw new TypeError(
        'toMeetObjectives: expected the result of rehearse(), or one of its partitions ' +
          '(a promise is to be awaited first)',
      );
    }
    // Thrown, as `not` would make a success of an answer: nothing is proven in either direction.
    if (received.void) throw new Error(received.summary);
    return { pass: received.met, message: () => received.summary };
  },
};

interface Judged {
  readonly void: boolean;
  readonly met: boolean;
  readonly summary: string;
}

function isJudged(value: unknown): value is Judged {
  if (typeof value !== 'object' || value === null) return false;
  const { void: isVoid, met, summary } = value as Partial<Judged>;
  return typeof isVoid === 'boolean' && typeof met === 'boolean' && typeof summary === 'string';
}
