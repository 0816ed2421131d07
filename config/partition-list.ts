export interface ListedPartition {
  readonly size: number;
  readonly max?: number;
}

/**
 * Reads `order=8,search=8,batch=4..10`: the size of each partition, and after two dots how far it
 * may grow.
 * @param fault is told each part that cannot be read
 */
export function readPartitionList(
  text: string,
  fault: (rule: string, got?: string) => void,
): ReadonlyMap<string, ListedPartition> {
  const partitions = new Map<string, ListedPartition>();
  for (const part of text.split(',')) {
    const { name, size, max } =
      /^\s*(?<name>[^=\s]+)\s*=\s*(?<size>\d+)(\.\.(?<max>\d+))?\s*$/.exec(part)?.groups ?? {};
    if (name === undefined || size === undefined) {
      fault('expected name=size or name=size..max', part.trim());
    } else if (partitions.has(name)) {
      fault(`'${name}' is given twice`);
    } else {
      partitions.set(name, {
        size: Number(size),
        ...(max === undefined ? {} : { max: Number(max) }),
      });
    }
  }
  return partitions;
}
