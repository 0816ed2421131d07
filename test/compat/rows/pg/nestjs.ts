import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Controller, Get, Inject, Module, Param, Post } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';
import { Partitioner } from 'watertight';
import type { PartitionPool } from 'watertight/pg';
import { AcquireErrorFilter } from '../../support/acquire-error-filter.ts';
import { playFramework } from '../../support/framework.ts';
import { servePg } from '../../support/pg.ts';

@Entity('items')
class Item {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'text' })
  name!: string;
}

@Controller('names')
class Names {
  constructor(@Inject(getRepositoryToken(Item)) private readonly items: Repository<Item>) {}

  @Get()
  async all(): Promise<string[]> {
    return (await this.items.find({ order: { id: 'asc' } })).map(({ name }) => name);
  }

  @Post(':name')
  async add(@Param('name') name: string): Promise<void> {
    await this.items.manager.transaction((tx) => tx.insert(Item, { name }));
  }
}

const appOn = (partition: PartitionPool) => {
  // #region wire
  @Module({
    imports: [
      TypeOrmModule.forRoot({
        type: 'postgres',
        driver: partition.driver(),
        entities: [Item],
      }),
      TypeOrmModule.forFeature([Item]),
    ],
    providers: [{ provide: APP_FILTER, useClass: AcquireErrorFilter }],
    controllers: [Names],
  })
  class App {}
  // #endregion
  return App;
};

playFramework('pg: nestjs', servePg, {
  async start({ order }) {
    const app = await NestFactory.create(appOn(order), { logger: false });
    await app.listen(0, '127.0.0.1');
    return { url: await app.getUrl(), close: () => app.close() };
  },
  ends: 'partition',
});

test('without the filter there is the 503, and no Retry-After', async () => {
  const partitioner = new Partitioner({ partitions: { llm: 1 } });
  @Controller()
  class Full {
    @Get()
    async refuse(): Promise<void> {
      await partitioner.acquire('llm', { acquireTimeoutMillis: 0 });
      await partitioner.acquire('llm', { acquireTimeoutMillis: 0 });
    }
  }
  @Module({ controllers: [Full] })
  class App {}
  const app = await NestFactory.create(App, { logger: false });
  await app.listen(0, '127.0.0.1');
  const answer = await fetch(await app.getUrl());
  await app.close();
  assert.deepEqual(
    [answer.status, answer.headers.get('retry-after'), await answer.json()],
    [503, null, { statusCode: 503, message: 'Service Unavailable' }],
  );
});
