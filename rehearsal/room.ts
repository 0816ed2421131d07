import type { Room } from './subject.ts';

/** What stands in the way of more connections. */
export const narrowest = (limits: readonly [Room, ...Room[]]): Room =>
  limits.reduce((least, limit) => (limit.free < least.free ? limit : least));
