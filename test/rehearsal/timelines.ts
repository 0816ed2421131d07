/** The course of a rehearsal of month-end as it goes, at a tenth of the time. */
import type { PartitionTimeline, Timeline } from '../../rehearsal/timeline.ts';

const everyMillis = 80;
const moments = 226;

/** The first and the last moment of the month end, and the last one of all phases. */
const [begins, ends, over] = [13, 163, 200] as const;

/** A list with a value for each moment, which may depend on whether it is month end, or over. */
function during(calm: number, monthEnd = calm, after = calm): number[] {
  return Array.from({ length: moments }, (_, moment) => {
    if (moment === 0 || moment > over) return 0;
    if (moment < begins) return calm;
    return moment < ends ? monthEnd : after;
  });
}

export function timeline(changes: Partial<PartitionTimeline>): PartitionTimeline {
  const none = during(0);
  return {
    inUse: none,
    waiting: none,
    servedInTime: none,
    late: none,
    refused: none,
    timedOut: none,
    failed: none,
    ...changes,
  };
}

export const calmTimeline: PartitionTimeline = timeline({
  inUse: during(6),
  servedInTime: during(32),
});
export const starvedTimeline: PartitionTimeline = timeline({
  inUse: during(6, 2, 10),
  waiting: during(0, 2_210, 1_205),
  servedInTime: during(32, 0, 0),
  late: during(0, 13, 53),
  timedOut: during(0, 9, 2),
});
export const reportsTimeline = (held: number, refused: number): PartitionTimeline =>
  timeline({
    inUse: during(0, held, 0),
    servedInTime: during(0, 1, 0),
    refused: during(0, refused, 0),
  });

export const timelineOf = (partitions: Timeline['partitions']): Timeline => ({
  everyMillis,
  connections: during(20),
  partitions,
});
