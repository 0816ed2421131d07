import assert from 'node:assert/strict';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { grafast } from 'postgraphile/grafast';
import { servePg } from '../../support/pg.ts';
import { playOwn } from '../../support/own.ts';

type Pgl = ReturnType<typeof postgraphile>;

async function ask(pgl: Pgl, source: string): Promise<Record<string, any>> {
  const { schema, resolvedPreset } = await pgl.getSchemaResult();
  const result = await grafast({ schema, resolvedPreset, requestContext: {}, source });
  if (!('data' in result)) throw new Error('expected one result');
  if (result.errors) throw result.errors[0]!;
  return result.data as Record<string, any>;
}

const names = async (pgl: Pgl): Promise<string[]> => {
  const { allItems } = await ask(pgl, '{ allItems { nodes { name } } }');
  return allItems.nodes.map(({ name }: { name: string }) => name);
};

const create = (name: string): string =>
  `mutation { createItem(input: { item: { name: "${name}" } }) { item { id } } }`;

playOwn('pg: postgraphile', servePg, {
  open(partition) {
    // #region wire
    const pgl = postgraphile({
      extends: [PostGraphileAmberPreset],
      pgServices: [makePgService({ pool: partition, schemas: ['public'] })],
    });
    // #endregion
    return pgl;
  },
  behaviours: {
    async queries(pgl) {
      assert.deepEqual(await names(pgl), []);
    },
    async mutations(pgl) {
      await ask(pgl, create('first'));
      assert.deepEqual(await names(pgl), ['first']);
    },
    async 'concurrent mutations'(pgl) {
      await Promise.all(Array.from({ length: 8 }, (_, i) => ask(pgl, create(`name ${i}`))));
      assert.equal((await names(pgl)).length, 9);
    },
  },
  call: names,
  close: (pgl) => pgl.release(),
  closeEndsPartition: false,
});
