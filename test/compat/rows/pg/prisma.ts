import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './prisma/generated/client.ts';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

play('pg: prisma', servePg, {
  open(partition) {
    // #region wire
    const prisma = new PrismaClient({ adapter: new PrismaPg(partition) });
    // #endregion
    return prisma;
  },
  insert: (prisma, name) => prisma.item.create({ data: { name } }),
  names: async (prisma) =>
    (await prisma.item.findMany({ orderBy: { id: 'asc' } })).map(({ name }) => name),
  transaction: (prisma, work) =>
    prisma.$transaction(async (tx) =>
      work({
        async connection() {
          const rows = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
          return rows[0]!.pid;
        },
        insert: (name) => tx.item.create({ data: { name } }),
      }),
    ),
  close: (prisma) => prisma.$disconnect(),
  closeEndsPartition: false,
});
