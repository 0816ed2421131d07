import { expect, test } from '@jest/globals';
import { locateMembers } from '../../config/locate.ts';

test('members have the lines of their names, and what stands in an array is found by its index', () => {
  const text = `{
  "phases": [
    { "name": "calm, [or so]" },
    {
      "name": "storm",
      "partitions": ["order",
        "batch"], "length": 5
    }
  ],
  "max": 4
}`;
  expect(Object.fromEntries(locateMembers(text))).toEqual({
    phases: 2,
    'phases.0': 3,
    'phases.0.name': 3,
    'phases.1': 4,
    'phases.1.name': 5,
    'phases.1.partitions': 6,
    'phases.1.partitions.0': 6,
    'phases.1.partitions.1': 7,
    'phases.1.length': 7,
    max: 10,
  });
});
