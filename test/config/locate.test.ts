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
  expect(Object.fromEntries(locateMembers(text).lines)).toEqual({
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

test('a name that its object has already is told with both lines, and no other is', () => {
  const text = `{
  "max": 4, "partitions": { "max": 1, "a": 1,
    "b": { "max": 2 } },
  "partitions.a": 2,
  "max": 5, "max": 6,
  "list": [{ "a": 1 }, { "a": 2,
    "a": 3 }]
}`;
  expect(locateMembers(text).repeated).toEqual([
    { path: 'max', line: 5, firstLine: 2 },
    { path: 'max', line: 5, firstLine: 2 },
    { path: 'list.1.a', line: 7, firstLine: 6 },
  ]);
});
